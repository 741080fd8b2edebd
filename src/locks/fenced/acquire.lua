-- Take the lock for one more hold, or report how long the present holder still has.
--
-- An owner that comes in from outside gets a token that is larger than all before. Coming in once more keeps it, unless the owner has
-- come in by a lock of another kind and has none, which `mints` says.
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns {1, hold count, token} when taken, otherwise {0, milliseconds left, owner}; without the owner if it has gone meanwhile.

local lock, request, token = KEYS[1], KEYS[2], KEYS[3]
local leaseMs, owner, holds, stale, mints, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local held, cameIn, wrongType = take(lock, request, leaseMs, owner, holds, stale, rememberMs)
if wrongType then
  return wrongType
end
if not held then
  return { 0, cameIn, redis.call('hkeys', lock)[1] }
end
return { 1, held, tokenFor(token, cameIn or mints == '1') }

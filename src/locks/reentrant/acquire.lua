-- Take the lock for one more hold, or report how long the present holder still has.
--
-- The lock is a hash of owner -> hold count, so the same owner may enter again.
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left, owner}; without the owner if it has gone meanwhile.

local lock, request = KEYS[1], KEYS[2]
local leaseMs, owner, holds, stale, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local held, leftMs, wrongType = take(lock, request, leaseMs, owner, holds, stale, rememberMs)
if wrongType then
  return wrongType
end
if not held then
  return { 0, leftMs, redis.call('hkeys', lock)[1] }
end
return { 1, held }

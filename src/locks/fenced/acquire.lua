-- Take the lock for one more hold, or report how long the present holder still has.
--
-- An owner that comes in from outside gets a token that is larger than all before. Coming in once more keeps it, unless the owner has
-- come in by a lock of another kind and has none, which `mints` says.
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns the token for the first hold of a free lock, {1, hold count, token} for any other, otherwise {0, milliseconds left, owner}; without
-- the owner if it has gone meanwhile.

local lock, request, token = KEYS[1], KEYS[2], KEYS[3]
local leaseMs, owner, holds, stale, mints, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- The ordinary way: the lock is free.
if rememberMs == '0' and redis.call('exists', lock, request) == 0 then
  redis.call('hset', lock, owner, 1)
  redis.call('pexpire', lock, leaseMs)
  return redis.call('incr', token)
end

-- Take the lock for one more hold, or report how long the present holder still has.
--
-- The lock is a hash of owner -> hold count, so the same owner may enter again.
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns 1 for the first hold of a free lock, {1, hold count} for any other, otherwise {0, milliseconds left, owner}; without the owner
-- if it has gone meanwhile.

local lock, request = KEYS[1], KEYS[2]
local leaseMs, owner, holds, stale, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- The ordinary ways: the lock is free, or another owner has it.
if rememberMs == '0' then
  local found = redis.call('exists', lock, request)
  if found == 0 then
    redis.call('hset', lock, owner, 1)
    redis.call('pexpire', lock, leaseMs)
    return 1
  end
  if found == 1 and redis.call('hlen', lock) == 1 then
    local holder, count = unpack(redis.call('hgetall', lock))
    if holder ~= owner and string.find(holder, '^.+:%d+$') and string.find(count, '^%d+$') then
      return { 0, redis.call('pttl', lock), holder }
    end
  end
end

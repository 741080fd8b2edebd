-- Take the lock for one more reader, or report how long the writer who has it still may.
--
-- A writer may read as well. preferWriter: readers who are not inside yet let writers who wait go first, if this is 1.
-- holds: the count that the reader will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns 1 for the first hold of a free lock, {1, hold count} for any other, otherwise {0, milliseconds left, some owner}; without the owner if there is none any more.

local lock, request, markers, writers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leaseMs, owner, holds, stale, preferWriter, patienceMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

-- The ordinary way: the lock is free, and no writer waits.
if rememberMs == '0' and redis.call('exists', lock, request, writers) == 0 then
  redis.call('hset', lock, 'mode', 'read', owner, 1)
  redis.call('pexpire', lock, leaseMs)
  redis.call('set', markers .. owner .. ':rwlock_timeout:1', '1', 'px', leaseMs)
  return 1
end

-- Take the lock for its one writer, or report how long those who have it still may.
--
-- Entering again never shortens the lease that an earlier hold was promised. preferWriter: readers wait while this writer
-- does, if this is 1; it has to say so again within patienceMs.
-- holds: the count that the writer will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns 1 for the first hold of a free lock, {1, hold count} for any other, otherwise {0, milliseconds left, some owner}; without the owner if there is none any more.

local lock, request, markers, writers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leaseMs, owner, holds, stale, preferWriter, patienceMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

-- The ordinary way: the lock is free, and no writer waits.
if rememberMs == '0' and redis.call('exists', lock, request, writers) == 0 then
  redis.call('hset', lock, 'mode', 'write', owner, 1)
  redis.call('pexpire', lock, leaseMs)
  return 1
end

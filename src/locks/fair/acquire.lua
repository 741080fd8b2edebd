-- Take the lock for one more hold if it is the owner's turn, or report how long to wait. A patient owner stands in the queue
-- from then on.
--
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- patient: whether it waits, if this is 1.
-- Returns 1 for the first hold of a free lock without a queue, {1, hold count} for any other, otherwise {0, milliseconds left, owner}; -1 stands for no end in sight. If the lock is free, and
-- another waiter is first: {2, milliseconds until to check again, that waiter}. And 1 besides if it has a new place in the queue.

local lock, request, queue, timeouts, heartbeats = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local leaseMs, owner, holds, stale, patient, aliveMs, foreignWaitMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

-- The ordinary way: the lock is free, and nobody waits.
if rememberMs == '0' and redis.call('exists', lock, request, queue, timeouts, heartbeats) == 0 then
  redis.call('hset', lock, owner, 1)
  redis.call('pexpire', lock, leaseMs)
  return 1
end

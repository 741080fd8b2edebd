-- Take the lock for one more hold if it is the owner's turn, or report how long to wait. A patient owner stands in the queue
-- from then on.
--
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- patient: whether it waits, if this is 1.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left, owner}; -1 stands for no end in sight. If the lock is free, and
-- another waiter is first: {2, milliseconds until to check again, that waiter}. And 1 besides if it has a new place in the queue.

local lock, request, queue, timeouts, heartbeats = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local leaseMs, owner, holds, stale, patient, aliveMs, foreignWaitMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local held, wrongType = holdsOf(lock, owner)
if wrongType then
  return wrongType
end

local now = serverTimeMs()
dropDeadWaiters(queue, timeouts, heartbeats, now)
local head = redis.call('lindex', queue, 0)
local free = redis.call('exists', lock) == 0
local mayTake = held or (free and (not head or head == owner))
local remembered = redis.call('get', request)

if not remembered and not mayTake then
  remember(request, 'refused', rememberMs)
  local placed
  if patient == '1' then
    if not isListed(queue, timeouts, owner) then
      redis.call('rpush', queue, owner)
      placed = 1
    end
    stayInQueue(queue, timeouts, heartbeats, owner, now, tonumber(aliveMs), tonumber(foreignWaitMs))
  end
  if free then
    return { 2, lookAgainInMs(queue, owner, tonumber(aliveMs)), head, placed }
  end
  return { 0, redis.call('pttl', lock), redis.call('hkeys', lock)[1], placed }
end

local count, leftMs, refusal = take(lock, request, leaseMs, owner, holds, stale, rememberMs)
if refusal then
  return refusal
end
if not count then
  return { 0, leftMs, redis.call('hkeys', lock)[1] }
end
removeFromQueue(queue, timeouts, heartbeats, owner)
return { 1, count }

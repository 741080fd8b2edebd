-- The rest of `acquire.lua`: the lock is held, somebody waits, or it is a copy.
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

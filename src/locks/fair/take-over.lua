-- Give back the last hold of an owner, and take the lock for the next one, if that is the first in the queue. Otherwise the lock is
-- free, and the first is called.
--
-- Returns {1, hold count, 1} when taken. Otherwise {0, milliseconds until to check again, what became of the owner's hold}: 1 if it
-- has ended, 0 if it is still there, and -1 if there was none. {2, milliseconds until to check again, 1, the first} if that is another.

local lock, request, queue, timeouts, heartbeats, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local leaseMs, owner, predecessor, aliveMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local holds, before = unpack(redis.call('hmget', lock, owner, predecessor))
if holds then
  return { 1, tonumber(holds), 1 } -- an earlier copy of the request has run
end
if not before then
  -- The first copy of a request leaves no reply behind. That the hold is gone shows that it has run.
  local again = tonumber(rememberMs) > 0
  remember(request, 'refused', rememberMs)
  return { 0, redis.call('pttl', lock), again and 1 or -1 }
end
if redis.call('get', request) then
  return { 0, redis.call('pttl', lock), 0 } -- the next owner has taken the request back
end
if before ~= '1' then
  remember(request, 'refused', rememberMs) -- it was entered by its name from elsewhere as well, or has left holds behind
  return { 0, redis.call('pttl', lock), 0 }
end

redis.call('del', lock) -- before what needs memory, which a server without any refuses only as the first change of a script
dropDeadWaiters(queue, timeouts, heartbeats, serverTimeMs())
local head = redis.call('lindex', queue, 0)
if head ~= owner then
  callFirst(queue, channel, publish)
  remember(request, 'refused', rememberMs)
  local inQueue = redis.call('zscore', heartbeats, owner) -- or else it was discarded, and has to take a new place
  return { 2, inQueue and lookAgainInMs(queue, owner, tonumber(aliveMs)) or 0, 1, head or nil }
end
removeFromQueue(queue, timeouts, heartbeats, owner)
redis.call('hset', lock, owner, 1)
redis.call('pexpire', lock, leaseMs)
rememberTaken(request, leaseMs, rememberMs)
return { 1, 1, 1 }

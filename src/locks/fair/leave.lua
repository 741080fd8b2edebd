-- Leave the queue. If it was the owner's turn, it is the next one's now, which is notified.
--
-- Returns 1 if the owner was in the queue, otherwise 0.

local lock, request, queue, timeouts, heartbeats, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local owner, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local present = redis.call('zscore', heartbeats, owner) and 1 or 0
removeFromQueue(queue, timeouts, heartbeats, owner)
if redis.call('exists', lock) == 0 then
  dropDeadWaiters(queue, timeouts, heartbeats, serverTimeMs())
  callFirst(queue, channel, publish)
end
remember(request, present, rememberMs)
return present

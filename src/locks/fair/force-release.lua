-- Free the lock, for any owner and hold count, and notify the first in the queue.
--
-- Returns 1 if it was held, otherwise 0.

local lock, request, queue, timeouts, heartbeats, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local publish, rememberMs = ARGV[1], ARGV[2]

local _, wrongType = holdsOf(lock, '')
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local freed = redis.call('del', lock)
if freed == 1 then
  dropDeadWaiters(queue, timeouts, heartbeats, serverTimeMs())
  callFirst(queue, channel, publish)
end
remember(request, freed, rememberMs)
return freed

-- Lower the count by one. With the last one the latch is gone, and whoever waits is told.
--
-- Returns the count; 0 if there is none.

local latch, channel, request = KEYS[1], KEYS[2], KEYS[3]
local publish, rememberMs = ARGV[1], ARGV[2]

local count, wrongType = numberAt(latch)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local left = math.max((count or 0) - 1, 0)
if left > 0 then
  redis.call('decr', latch)
elseif count then
  redis.call('del', latch)
end
if left == 0 and count and count > 0 then
  redis.call(publish, channel, '0')
end
remember(request, left, rememberMs)
return left

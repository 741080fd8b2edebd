-- Lower the count by one. With the last one the latch is removed, and waiters are notified.
--
-- Returns the count; 0 if there is none.

local latch, channel, request = KEYS[1], KEYS[2], KEYS[3]
local publish, rememberMs = ARGV[1], ARGV[2]

local count, wrongType = numberAt(latch)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local left = math.max((count or 0) - 1, 0)
if left > 0 then
  redis.call('decr', latch)
elseif count then
  redis.call('del', latch)
end
if left == 0 and count and count > 0 then
  tell(publish, channel, '0')
end
remember(request, left, rememberMs)
return left

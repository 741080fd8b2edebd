-- Set the count, unless there is one, and notify listeners.
--
-- Returns 1 if it was set, otherwise 0.

local latch, channel, request = KEYS[1], KEYS[2], KEYS[3]
local count, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local present, wrongType = numberAt(latch)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end
if present then
  remember(request, 0, rememberMs)
  return 0
end
redis.call('set', latch, count)
tell(publish, channel, '1')
remember(request, 1, rememberMs)
return 1

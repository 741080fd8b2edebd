-- Free all values, for any owner and hold count, and notify waiters.
--
-- Returns 1 if any was held, otherwise 0.

local group, channel, request = KEYS[1], KEYS[2], KEYS[3]
local values, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local now = serverTimeMs()
local freed = 0
for value in eachOf(values) do
  if holdOn(group, value, now) then
    freed = 1
  end
  freeValue(group, value)
end
if freed == 1 then
  tell(publish, channel, '0')
end
remember(request, freed, rememberMs)
return freed

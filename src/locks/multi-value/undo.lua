-- Give back what a request to acquire has taken, if it has, and let no copy of it take anything from now on.
--
-- least, most: how often the owner holds each of the values after that, or nothing where that cannot be known.
-- Returns 1 if something was released, otherwise 0.

local group, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, values, least, most, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local taken = redis.call('get', request) == 'taken'
remember(request, 'undone', rememberMs)
if not taken then
  return 0
end
local held, _, freed = giveBackValues(group, values, owner, least, most, 0, serverTimeMs())
if freed then
  tell(publish, channel, '0')
end
return held > 0 and 1 or 0

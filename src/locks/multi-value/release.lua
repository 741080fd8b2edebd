-- Give back one hold of all values.
--
-- partly: 1 to release it of those values as well that are left of a hold, because it is known that there was one.
-- least, most: how often the owner holds each of the values after that, or nothing where that cannot be known.
-- Returns {holds that remain, how many clients heard that some are free}; the first is -1 if the owner did not hold all of them.

local group, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, values, partly, least, most, leaseMs, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return { tonumber(remembered), 0 }
end

local now = serverTimeMs()
local complete = leastHolds(group, values, owner, now) > 0
if not complete and partly == '0' then
  return { -1, 0 }
end
needNoMemory(request)
local held, remaining, freed = giveBackValues(group, values, owner, least, most, leaseMs, now)
local heard = freed and tell(publish, channel, '0') or 0
if not complete then
  remaining = -1
end
if held > 0 then
  remember(request, remaining, rememberMs)
end
return { remaining, heard }

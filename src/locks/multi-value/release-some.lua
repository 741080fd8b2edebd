-- The rest of `release.lua`: more is held than that, less, or it is a copy.
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

-- Give back one hold of all values, or of those that are left to be given back.
--
-- Returns the holds that remain; -1 if the owner did not hold all of them.

local group, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, values, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local now = serverTimeMs()
local complete = leastHolds(group, values, owner, now) > 0
local held, remaining, freed = giveBackValues(group, values, owner, leaseMs, now)
if freed then
  redis.call(publish, channel, '0')
end
if not complete then
  remaining = -1
end
if held > 0 then
  remember(request, remaining, rememberMs)
end
return remaining

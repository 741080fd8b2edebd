-- Give back permits that were not used, up to the rate.
--
-- Returns how many are left now.

local limiter, value, clientValue, grants, clientGrants, request =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local permits, rememberMs = ARGV[1], ARGV[2]

local settings, refusal = demandSettings(limiter)
if refusal then
  return refusal
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

if settings.mode == '1' then
  value, grants = clientValue, clientGrants
end
local before, noted = settle(value, grants, settings, serverTimeMs(), math.huge)
local left = math.min(before + tonumber(permits), settings.rate)
if left == settings.rate then
  redis.call('unlink', grants)
else
  takeOut(grants, tonumber(permits))
end
if noted then
  redis.call('incrby', value, left - before)
end
left = math.max(left, 0)
remember(request, left, rememberMs)
return left

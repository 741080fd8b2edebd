-- Give back permits that were not used, up to the rate.
--
-- Returns how many are left now.

local limiter, value, clientValue, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local permits, rememberMs = ARGV[1], ARGV[2]

local settings, refusal = demandSettings(limiter)
if refusal then
  return refusal
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

if settings.mode == '1' then
  value = clientValue
end
local present = tonumber(redis.call('get', value) or nil)
local left = math.min((present or settings.rate) + tonumber(permits), settings.rate)
if present then
  setLeft(value, left)
end
remember(request, left, rememberMs)
return left

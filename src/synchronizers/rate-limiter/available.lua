-- Read how many permits are left now.

local limiter, value, clientValue, grants, clientGrants = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

local settings, refusal = demandSettings(limiter)
if refusal then
  return refusal
end
if settings.mode == '1' then
  value, grants = clientValue, clientGrants
end
local left = settle(value, grants, settings, serverTimeMs(), math.huge)
return math.max(left, 0)

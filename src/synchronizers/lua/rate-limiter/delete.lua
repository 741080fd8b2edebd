-- Remove the limiter, and what it knows of this client.
--
-- Returns 1 if it was there, otherwise 0.

local limiter, value, clientValue, grants, clientGrants, request =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local rememberMs = ARGV[1]

local _, wrongType = settingsOf(limiter)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local deleted = redis.call('del', limiter)
redis.call('del', value, clientValue, grants, clientGrants)
remember(request, deleted, rememberMs)
return deleted

-- Remove the semaphore and every permit.
--
-- Returns 1 if it was there, otherwise 0.

local semaphore, timeouts, request = KEYS[1], KEYS[2], KEYS[3]
local rememberMs = ARGV[1]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local deleted = math.min(redis.call('del', semaphore, timeouts), 1)
remember(request, deleted, rememberMs)
return deleted

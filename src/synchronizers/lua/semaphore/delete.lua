-- Remove the semaphore.
--
-- Returns 1 if it was there, otherwise 0.

local semaphore, request = KEYS[1], KEYS[2]
local rememberMs = ARGV[1]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local deleted = redis.call('del', semaphore)
remember(request, deleted, rememberMs)
return deleted

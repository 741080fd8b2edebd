-- Bring the semaphore into being, unless it is there, and tell whoever waits how many permits it has.
--
-- Returns 1 if it was not there before, otherwise 0.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local permits, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end
if available then
  remember(request, 0, rememberMs)
  return 0
end
announce(channel, permits, redis.call('incrby', semaphore, permits), publish)
remember(request, 1, rememberMs)
return 1

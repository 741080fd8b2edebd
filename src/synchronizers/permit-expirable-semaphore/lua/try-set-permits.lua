-- Create the semaphore, unless it exists, and notify waiters of its number of permits.
--
-- Permits that are lent still, because the server has evicted the number alone, belong to those that are set.
--
-- Returns 1 if it was not there before, otherwise 0.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local permits, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end
if available then
  remember(request, 0, rememberMs)
  return 0
end

sweep(semaphore, timeouts, channel, serverTimeMs(), publish)
announce(channel, permits, redis.call('incrby', semaphore, permits - redis.call('zcard', timeouts)), publish)
remember(request, 1, rememberMs)
return 1

-- Set the total number of permits, free or lent, and notify waiters.
--
-- Returns how many are free now.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local permits, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

sweep(semaphore, timeouts, channel, serverTimeMs(), publish)
local available = numberAt(semaphore)
if redis.call('get', request) then
  return available or 0
end

local added = tonumber(permits) - redis.call('zcard', timeouts) - (available or 0)
if added ~= 0 or not available then
  available = redis.call('incrby', semaphore, added)
  announce(channel, permits, available, publish)
end
remember(request, available, rememberMs)
return available

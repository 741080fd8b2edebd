-- Add permits, or take some away if the number is negative, and notify waiters of those added.
--
-- Returns how many are free now.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local permits, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local available = redis.call('incrby', semaphore, permits)
if tonumber(permits) > 0 then
  announce(channel, permits, available, publish)
end
remember(request, available, rememberMs)
return available

-- Create the semaphore, unless it exists, and notify waiters of its number of permits.
--
-- ttlMs: after how many milliseconds it shall be gone again; 0 for never.
-- Returns 1 if it was not there before, otherwise 0.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local permits, ttlMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

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

putBack(semaphore, channel, permits, publish)
if tonumber(ttlMs) > 0 then
  redis.call('pexpire', semaphore, ttlMs)
end
remember(request, 1, rememberMs)
return 1

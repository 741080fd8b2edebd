-- Read how long the lease of a permit still lasts.
--
-- Returns milliseconds, -1 for ever, or -2 if the permit is not lent.

local semaphore, timeouts, channel = KEYS[1], KEYS[2], KEYS[3]
local id, publish = ARGV[1], ARGV[2]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local now = serverTimeMs()
sweep(semaphore, timeouts, channel, now, publish)
local expiry = redis.call('zscore', timeouts, id)
if not expiry then
  return -2
end
return expiry == never and -1 or tonumber(expiry) - now

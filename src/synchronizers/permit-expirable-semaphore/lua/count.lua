-- Read how many permits are free, and how many are lent.
--
-- Returns {free, lent, 1 if the semaphore is there or 0}.

local semaphore, timeouts, channel = KEYS[1], KEYS[2], KEYS[3]
local publish = ARGV[1]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end
sweep(semaphore, timeouts, channel, serverTimeMs(), publish)
local available = numberAt(semaphore)
return { available or 0, redis.call('zcard', timeouts), available and 1 or 0 }

-- Set the end of the lease of a permit, in milliseconds from now.
--
-- Returns 1 if the permit is lent, otherwise 0.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local now = serverTimeMs()
sweep(semaphore, timeouts, channel, now, publish)
local lent = redis.call('zscore', timeouts, id) and 1 or 0
if lent == 1 then
  redis.call('zadd', timeouts, expiryOf(leaseMs, now), id)
end
remember(request, lent, rememberMs)
return lent

-- Extend the leases of many permits. A lease that is longer already stays as it is.
--
-- timeouts: for every permit those of its semaphore.
-- Returns, in order, 1 for every permit that is lent and 0 for the others.

local timeouts = KEYS
local leaseMs, ids = ARGV[1], restOf(ARGV, 2)

local now = serverTimeMs()
local lent = {}
for i, id in ipairs(ids) do
  local expiry = redis.pcall('zscore', timeouts[i], id)
  lent[i] = type(expiry) == 'string' and tonumber(expiry) > now and 1 or 0
  if lent[i] == 1 and tonumber(expiry) < now + tonumber(leaseMs) then
    redis.call('zrem', timeouts[i], '') -- there is none: Redis refuses no write for want of memory after one that needs none
    redis.call('zadd', timeouts[i], expiryOf(leaseMs, now), id)
  end
end
return lent

-- A semaphore whose permits can expire has a sorted set beside it: every permit that is lent, 16 bytes, and when it expires.

-- Means never. Redisson compares it as text.
local never = '922337203685477'

-- Cuts ids apart that are written one after the other.
local function idsIn(ids)
  local list = {}
  for start = 1, #ids, 16 do
    list[#list + 1] = string.sub(ids, start, start + 15)
  end
  return list
end

-- When a permit expires that is lent now.
local function expiryOf(leaseMs, now)
  return tonumber(leaseMs) > 0 and math.min(now + tonumber(leaseMs), tonumber(never)) or never
end

-- Counts permits as free again. A semaphore that has been removed does not come back by this.
-- Returns how many are free now, or nil.
local function putBack(semaphore, permits)
  return redis.call('exists', semaphore) == 1 and redis.call('incrby', semaphore, permits) or nil
end

-- Notifies waiters, unless nothing is free.
local function announce(channel, message, available, publish)
  if available and available > 0 then
    tell(publish, channel, message)
  end
end

-- Counts permits as free again whose leases have ended.
local function sweep(semaphore, timeouts, channel, now, publish)
  local expired = redis.call('zrangebyscore', timeouts, 0, now)
  if #expired == 0 then
    return
  end
  redis.call('zremrangebyscore', timeouts, 0, now)
  local available = putBack(semaphore, #expired)
  announce(channel, available, available, publish)
end

-- In how many milliseconds the next lease ends; -1 if none does.
local function nextExpiryIn(timeouts, now)
  local first = redis.call('zrange', timeouts, 0, 0, 'withscores')
  if not first[2] or first[2] == never then
    return -1
  end
  return math.max(tonumber(first[2]) - now, 0)
end

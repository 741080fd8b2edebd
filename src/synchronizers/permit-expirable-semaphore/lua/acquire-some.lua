-- The rest of `acquire.lua`: more is wanted, leases have ended, it is a copy, or the semaphore is not there.
local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

-- That one of the permits is lent already shows that an earlier copy of the request has run, which leaves no reply behind. Returns how
-- many had got theirs; the leases of the first of them may have ended since.
local function servedBefore()
  local served, place, start = nil, 0, 1
  for permits in string.gmatch(claims, '%d+') do
    place = place + 1
    if redis.call('zscore', timeouts, string.sub(ids, start, start + 15)) then
      served = place
    end
    start = start + 16 * permits
  end
  return served
end

-- Lends permits to the next, if there are as many.
local function lend(own, leaseMs, now)
  local permits = idsIn(own)
  for _, id in ipairs(permits) do
    redis.call('zadd', timeouts, expiryOf(leaseMs, now), id)
  end
  return redis.call('decrby', semaphore, #permits)
end

local now = serverTimeMs()
sweep(semaphore, timeouts, channel, now, publish)
local available = numberAt(semaphore)
local remembered = redis.call('get', request)
local served = remembered and tonumber(string.match(remembered, '^taken (%d+)') or 0)
if not served and tonumber(rememberMs) > 0 then
  served = servedBefore()
end

local set = not served and not available and initial ~= ''
if set then
  available = redis.call('incrby', semaphore, tonumber(initial) - redis.call('zcard', timeouts))
end
if not served then
  served = 0
  local nextLease, start = string.gmatch(leases, '%d+'), 1
  for permits in string.gmatch(claims, '%d+') do
    if (available or 0) < tonumber(permits) then
      break
    end
    local stop = start + 16 * permits
    available = lend(string.sub(ids, start, stop - 1), nextLease(), now)
    served, start = served + 1, stop
  end
  local leftMs = served > 0 and redis.call('pttl', semaphore) or 0
  if leftMs > 0 then
    redis.call('pexpire', timeouts, leftMs)
  end
end
if set then
  announce(channel, available, available, publish)
end
remember(request, remembered or served > 0 and 'taken ' .. served or 'refused', rememberMs)
local lent = redis.call('zcard', timeouts)
return { served, available or 0, nextExpiryIn(timeouts, now), lent, available and 1 or 0 }

-- Take permits, if there are as many.
--
-- ids: those that they shall have. leaseMs: until when; 0 for ever.
-- Returns {1 if they were taken or 0, how many are free now, milliseconds until the next lease ends or -1 for never}.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ids, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local now = serverTimeMs()
sweep(semaphore, timeouts, channel, now, publish)
local permits = idsIn(ids)
local available = numberAt(semaphore) or 0
local answered = redis.call('get', request)

-- That a permit is lent already shows that an earlier copy of the request has run, which leaves no answer behind.
if not answered and redis.call('zscore', timeouts, permits[1]) then
  answered = 'taken'
end
if not answered and available >= #permits then
  available = redis.call('decrby', semaphore, #permits)
  for _, id in ipairs(permits) do
    redis.call('zadd', timeouts, expiryOf(leaseMs, now), id)
  end
  local leftMs = redis.call('pttl', semaphore)
  if leftMs > 0 then
    redis.call('pexpire', timeouts, leftMs)
  end
  answered = 'taken'
end
remember(request, answered or 'refused', rememberMs)
return { answered == 'taken' and 1 or 0, available, nextExpiryIn(timeouts, now) }

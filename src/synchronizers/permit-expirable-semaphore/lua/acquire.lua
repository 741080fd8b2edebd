-- Take permits for the waiters of the queue, one after the other, until there are too few for the next.
--
-- ids: those for the permits. claims: how many permits each waiter wants. leases: how long each gets them, in
-- milliseconds; 0 for ever. initial: how many there shall be where the semaphore is not there; empty where that is not known.
-- Returns {how many have got theirs, how many permits are free now, milliseconds until the next lease ends or -1 for never or where
-- nobody has to wait, how many are lent, 1 if the semaphore is there or 0}.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ids, claims, leases, initial, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- The ordinary ways: one waiter wants one permit, no lease has ended, and no copy has come before.
if rememberMs == '0' and claims == '1' and redis.call('exists', request) == 0 then
  local available = redis.call('get', semaphore) or ''
  local first, time = redis.call('zrange', timeouts, 0, 0, 'withscores')[2], redis.call('time')
  local never = 922337203685477
  local now, nextEnd = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(first or never)
  if available == '0' and nextEnd > now then
    return { 0, 0, nextEnd == never and -1 or nextEnd - now, redis.call('zcard', timeouts), 1 }
  end
  if string.find(available, '^[1-9]%d*$') and nextEnd > now then
    redis.call('zadd', timeouts, leases == '0' and never or math.min(now + leases, never), ids)
    local left, leftMs = redis.call('decrby', semaphore, 1), redis.call('pttl', semaphore)
    if leftMs > 0 then
      redis.call('pexpire', timeouts, leftMs)
    end
    return { 1, left, -1, redis.call('zcard', timeouts), 1 }
  end
end

-- Give permits back, all of them or none.
--
-- Returns 1 if they were, or 0 if one of them is not lent.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ids, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

-- The ordinary way: one permit, no lease has ended, and no copy has come before.
if
  #ids == 16
  and redis.call('exists', request) == 0
  and string.find(redis.call('get', semaphore) or '', '^-?%d+$')
then
  local first, time = redis.call('zrange', timeouts, 0, 0, 'withscores')[2], redis.call('time')
  if tonumber(first or 0) > time[1] * 1000 + time[2] / 1000 and redis.call('zrem', timeouts, ids) == 1 then
    local available = redis.call('incrby', semaphore, 1)
    if rememberMs ~= '0' then
      redis.call('set', request, 1, 'px', rememberMs)
    end
    local heard = (publish == '' or available < 1) and 0 or redis.pcall(publish, channel, available)
    return type(heard) == 'number' and 1 or { 'REFUSED', channel, 1 }
  end
end

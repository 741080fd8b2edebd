-- A limiter is a hash of its settings. Beside it there are a number, the permits that are left, and a sorted set, every grant
-- and when it was made: 21 bytes, of which one says that 16 others follow which identify it, and the last four
-- how many permits it was. A limiter for each client has such a pair for every one.

-- What a limiter is set to; nil if it is not there. For a name that belongs to something else, the error as well.
local function settingsOf(limiter)
  local rate, interval, mode, keepAliveMs =
    unpack(redis.call('hmget', limiter, 'rate', 'interval', 'type', 'keepAliveTime'))
  if rate and interval then
    return {
      rate = tonumber(rate),
      interval = tonumber(interval),
      mode = mode or '0',
      keepAliveMs = tonumber(keepAliveMs or 0),
    }
  end
  if redis.call('exists', limiter) == 1 then
    return nil, redis.error_reply('WRONGTYPE the name belongs to something that is no rate limiter')
  end
  return nil
end

-- The same where it has to exist.
local function demandSettings(limiter)
  local settings, wrongType = settingsOf(limiter)
  return settings, wrongType or not settings and redis.error_reply('RATE_NOT_SET') or nil
end

-- Writes what a limiter is set to. Whether it expires is left as it is.
local function store(limiter, mode, rate, intervalMs, keepAliveMs)
  redis.call('hset', limiter, 'rate', rate, 'interval', intervalMs, 'keepAliveTime', keepAliveMs, 'type', mode)
end

-- Limits of how many deliveries begin in a time, by the generic cell rate algorithm (ITU-T I.371): of the queue (its name here is empty) and of each group.
--
-- rates: a sorted set with the moment at which each of them is unused again, in milliseconds. One whose moment has passed counts as not there.
-- A limit: interval, the milliseconds from one delivery to the next; burst, how many may begin at the same moment.

-- The limit of the queue or of each group, from its two numbers; nothing if there is none.
local function limitOf(interval, burst)
  return tonumber(burst) > 0 and { interval = tonumber(interval), burst = tonumber(burst) } or nil
end

-- For how long a limit is in use: no longer than a whole burst makes it. A later moment is from before the server's clock has gone back, or from a slower limit.
local function busyFor(name, now, limit)
  local busyMs = tonumber(redis.call('zscore', rates, name) or 0) - now
  local most = limit.burst * limit.interval
  if busyMs > most + 1 then
    redis.call('zadd', rates, now + most, name) -- so that it passes
  end
  return math.max(math.min(busyMs, most), 0)
end

-- How many deliveries may begin now; then in how many milliseconds the next one may.
local function freeOf(name, now, limit)
  local busyMs = busyFor(name, now, limit)
  local free = math.floor(limit.burst - (busyMs - 0.001) / limit.interval) -- moments are rounded to less than a microsecond
  return math.max(free, 0), math.max(busyMs - (limit.burst - 1) * limit.interval, 0)
end

local function use(name, now, limit, count)
  redis.call('zadd', rates, now + busyFor(name, now, limit) + count * limit.interval, name)
end

-- Forgets what is unused again. Rates that several queues share belong to none of them, so they end by themselves.
local function tidy(now, isShared)
  local unused = redis.call('zrangebyscore', rates, '-inf', now, 'limit', 0, MOST_DUE)
  if #unused > 0 then
    redis.call('zrem', rates, unpack(unused))
  end
  local last = isShared and redis.call('zrange', rates, -1, -1, 'withscores')[2]
  if last then
    redis.call('pexpire', rates, math.ceil(last - now))
  end
end

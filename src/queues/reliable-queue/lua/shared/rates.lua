-- Limits of how many deliveries begin in a time, by the generic cell rate algorithm (ITU-T I.371): of the queue (its name here is empty) and of each group.
--
-- rates: a sorted set with the moment at which each of them is unused again, in milliseconds. One whose moment has passed counts as not there.
-- A limit: interval, the milliseconds from one delivery to the next; burst, how many may begin at the same moment.

-- The limit of the queue or of each group, from its two numbers; nothing if there is none.
local function limitOf(interval, burst)
  return tonumber(burst) > 0 and { interval = tonumber(interval), burst = tonumber(burst) } or nil
end

-- For how long a limit is in use. More than by a whole burst is none: the server's clock has gone back, or the limit was another one.
local function busyFor(name, now, limit)
  local busyMs = tonumber(redis.call('zscore', rates, name) or 0) - now
  return busyMs > limit.burst * limit.interval + 1 and 0 or math.max(busyMs, 0)
end

-- How many deliveries may begin now; then in how many milliseconds the next one may.
local function freeOf(name, now, limit)
  local busyMs = busyFor(name, now, limit)
  local free = math.floor(limit.burst - busyMs / limit.interval + 1e-6) -- less than the rounding of a moment
  return free, math.max(busyMs - (limit.burst - 1) * limit.interval, 0)
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

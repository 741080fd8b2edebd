local function newGrant(nonce, permits)
  return struct.pack('<Bc0I4', #nonce, nonce, tonumber(permits))
end

local function permitsOf(grant)
  local _, permits = struct.unpack('<Bc0I4', grant)
  return permits
end

-- How many permits were granted in a list of grants.
local function granted(grants)
  local sum = 0
  for _, grant in ipairs(grants) do
    sum = sum + permitsOf(grant)
  end
  return sum
end

-- Writes down how many permits are left, and leaves alone when that is forgotten.
local function setLeft(value, left)
  redis.call('incrby', value, left - tonumber(redis.call('get', value) or 0))
end

-- Takes back what was granted longer ago than an interval. Returns how many permits are left then.
local function settle(value, grants, settings, now)
  local present = tonumber(redis.call('get', value) or nil)
  local overSince = now - settings.interval
  local over = granted(redis.call('zrangebyscore', grants, '-inf', overSince))
  if over > 0 then
    redis.call('zremrangebyscore', grants, '-inf', overSince)
  end
  local left = (present or settings.rate) + over
  if left > settings.rate or not present then
    left = settings.rate - granted(redis.call('zrange', grants, 0, -1))
  end
  left = math.max(left, 0)
  if present and left ~= present then
    setLeft(value, left)
  end
  return left
end

-- In how many milliseconds there will be enough permits, if nobody takes any until then.
local function readyIn(grants, left, permits, settings, now)
  local start, page = 0, 100
  while true do
    local some = redis.call('zrange', grants, start, start + page - 1, 'withscores')
    if #some == 0 then
      return settings.interval
    end
    for i = 1, #some, 2 do
      left = left + permitsOf(some[i])
      if left >= permits then
        return math.max(tonumber(some[i + 1]) + settings.interval - now, 1)
      end
    end
    start = start + page
  end
end

-- Has all that belongs together be forgotten together, after so many milliseconds without a request if that was wished.
local function forgetTogether(limiter, value, grants, settings)
  local leftMs = settings.keepAliveMs
  if leftMs > 0 then
    redis.call('pexpire', limiter, leftMs)
  else
    leftMs = redis.call('pttl', limiter)
  end
  if leftMs > 0 then
    redis.call('pexpire', value, leftMs)
    redis.call('pexpire', grants, leftMs)
  end
end

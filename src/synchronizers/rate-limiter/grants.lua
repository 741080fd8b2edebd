-- What is left is the rate less what was granted within the interval. The number only saves adding that up for every request: it is
-- below zero where more was granted than the present rate. It may be wrong where the rate was changed by another client, or where the
-- server has evicted the grants. Therefore one more member of the set, a grant of no permits with an endless score, names the
-- rate that the number belongs to. Where that is missing, all grants are added up anew.

-- How many grants are looked at together.
local PAGE = 1000

-- By how much the clocks of hosts may differ.
local LARGEST_SKEW_MS = 60000

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

-- The member that names the rate.
local function markOf(rate)
  return newGrant(string.format('%016.0f', rate), 0)
end

-- Adds up all grants, and marks for which rate that was done. Returns how many permits are left.
local function countAnew(grants, rate)
  local sum, start = 0, 0
  repeat
    local page = redis.call('zrange', grants, start, start + PAGE - 1)
    sum = sum + granted(page)
    start = start + PAGE
  until #page < PAGE
  if sum > 0 then
    redis.call('zremrangebyscore', grants, '+inf', '+inf')
    redis.call('zadd', grants, '+inf', markOf(rate))
  end
  return rate - sum
end

-- Has grants that seem to come from the future count as made now: the clock of a client in Java is ahead, or the server's was put back.
-- Where it was put back by far, they are dropped. Returns whether any were.
local function bringBack(grants, settings, now)
  local far = string.format('(%.0f', now + settings.interval + LARGEST_SKEW_MS)
  local dropped = redis.call('zremrangebyscore', grants, far, '(+inf')
  for _, grant in ipairs(redis.call('zrangebyscore', grants, string.format('(%.0f', now), '(+inf')) do
    redis.call('zadd', grants, now, grant)
  end
  return dropped > 0
end

-- Removes grants that are older than an interval, at least until that number of permits is left. Returns how many permits those were.
local function expire(grants, settings, now, left, wanted)
  local overSince, sum = now - settings.interval, 0
  repeat
    local page = redis.call('zrangebyscore', grants, '-inf', overSince, 'limit', 0, PAGE)
    if #page > 0 then
      sum = sum + granted(page)
      redis.call('zremrangebyrank', grants, 0, #page - 1)
    end
  until #page < PAGE or left + sum >= wanted
  return sum
end

-- Brings number and grants up to date. Returns how many permits are left, and whether there is a number: where there is none, none
-- is made. Grants that have ended may remain where as much is left as is wanted.
local function settle(value, grants, settings, now, wanted)
  local number = tonumber(redis.call('get', value) or nil)
  local newest = redis.call('zrevrange', grants, 0, 1, 'withscores')
  local counted = number and newest[1] == markOf(settings.rate)
  local newestAt = tonumber(newest[counted and 4 or 2] or 0)
  if newestAt > now and bringBack(grants, settings, now) then
    counted = false
  end

  local left
  if not counted then
    redis.call('zremrangebyscore', grants, '-inf', now - settings.interval)
    left = countAnew(grants, settings.rate)
  elseif newestAt <= now - settings.interval then
    redis.call('unlink', grants)
    left = settings.rate
  else
    left = number + expire(grants, settings, now, number, wanted)
    left = left <= settings.rate and left or countAnew(grants, settings.rate)
  end
  if number and left ~= number then
    redis.call('incrby', value, left - number)
  end
  return left, number ~= nil
end

-- Takes permits out of the oldest grants, so that they do not come back once more when those end.
local function takeOut(grants, permits)
  repeat
    local page = redis.call('zrangebyscore', grants, '-inf', '(+inf', 'withscores', 'limit', 0, PAGE)
    for i = 1, #page, 2 do
      local grant, grantedAt = page[i], page[i + 1]
      local rest = permitsOf(grant) - permits
      redis.call('zrem', grants, grant)
      if rest > 0 then
        redis.call('zadd', grants, grantedAt, newGrant(string.sub(grant, 2, -5), rest))
      end
      permits = math.max(-rest, 0)
      if permits == 0 then
        return
      end
    end
  until #page == 0
end

-- In how many milliseconds there will be enough permits, if no client takes any until then.
local function readyIn(grants, left, permits, settings, now)
  local start = 0
  while true do
    local count = math.min(math.max(permits - left, 1), PAGE)
    local page = redis.call('zrange', grants, start, start + count - 1, 'withscores') -- the mark counts nothing
    if #page == 0 then
      return settings.interval
    end
    for i = 1, #page, 2 do
      left = left + permitsOf(page[i])
      if left >= permits then
        return math.max(tonumber(page[i + 1]) + settings.interval - now, 1)
      end
    end
    start = start + count
  end
end

-- Makes all keys of a limiter expire together, after its keep-alive time without a request, if one is set. What belongs
-- to one client alone ends with its last grant in any case, because the client may never come back, and no sooner: another
-- client that makes the limiter last longer does not know of it.
local function forgetTogether(limiter, value, grants, settings)
  local leftMs = settings.keepAliveMs
  if leftMs > 0 then
    redis.call('pexpire', limiter, leftMs)
  else
    leftMs = redis.call('pttl', limiter)
  end
  if settings.mode == '1' then
    leftMs = math.max(leftMs, settings.interval)
  end
  if leftMs > 0 then
    redis.call('pexpire', value, leftMs)
    redis.call('pexpire', grants, leftMs)
  end
end

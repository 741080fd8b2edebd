-- The values of a set cache. The score of each is the moment when it ends.
local now = serverTimeMs()

-- The score of a value that does not end is this less the time at which it was added.
local NEVER = 92233720368547758

-- No moment is as high: what has such a score does not end.
local NO_END = 9e16

-- From where on values are there.
local FROM_NOW = string.format('(%.0f', now)

-- When a value ends; nil if it is not there.
local function endOf(set, value)
  local moment = tonumber(redis.call('zscore', set, value) or 0)
  if moment > now then
    return moment < NO_END and moment or math.huge
  end
end

-- When a value ends that lasts so many milliseconds from now on, or never for 0.
local function endAfter(ttlMs)
  return tonumber(ttlMs) == 0 and math.huge or now + ttlMs
end

-- Sets when a value ends.
local function put(set, value, moment)
  redis.call('zadd', set, string.format('%.0f', moment < math.huge and moment or NEVER - now), value)
end

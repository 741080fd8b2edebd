-- Extend the leases of many functions. A lease that is longer already stays as it is.
--
-- places: for every function those of its limiter. owners: the request that has taken its places, the number of the first, and how many.
-- Returns, in order, 1 for every function whose places are all taken still, and 0 for the others.

local places = KEYS
local leaseMs, owners = ARGV[1], restOf(ARGV, 2)

local nowMs = serverTimeMs()

-- When the first of these leases ends; 0 if one of them has ended.
local function endOf(key, id, first, count)
  local soonest = math.huge
  for number = first, first + count - 1 do
    local endsAt = redis.pcall('zscore', key, placeOf(id, number))
    soonest = math.min(soonest, type(endsAt) == 'string' and tonumber(endsAt) or 0)
  end
  return soonest
end

local held = {}
for i, owner in ipairs(owners) do
  local id, first, count = string.match(owner, '^(%S+) (%d+) (%d+)$')
  first, count = tonumber(first), tonumber(count)
  local endsAt = endOf(places[i], id, first, count)
  held[i] = endsAt > nowMs and 1 or 0
  if held[i] == 1 and endsAt < nowMs + leaseMs then
    redis.call('zrem', places[i], '') -- there is none: Redis refuses no write for want of memory after one that needs none
    lend(places[i], id, first, count, nowMs + leaseMs)
    keepFor(places[i], leaseMs)
  end
end
return held

-- The entries of a map cache. A record is the idle time in milliseconds, the length of the value, and the value.
local now = serverTimeMs()

local function hasEnded(set, field)
  local moment = redis.call('zscore', set, field)
  return moment and tonumber(moment) <= now
end

-- The value in a record and its idle time, unless the entry has expired.
local function alive(field, record)
  local value, idleMs = valueIn(map, record)
  if hasEnded(ttl, field) or idleMs ~= 0 and hasEnded(idle, field) then
    return nil
  end
  return value, idleMs
end

-- The same of a field, which may be missing.
local function find(field)
  local record = redis.call('hget', map, field)
  if record then
    return alive(field, record)
  end
end

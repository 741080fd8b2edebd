-- The value in a record of a map cache, and the idle time of the entry in milliseconds. What is no record is in a hash of another kind: an error of the
-- server says so.
local function valueIn(map, record)
  local isRecord, idleMs, value = pcall(struct.unpack, 'dLc0', record)
  if not isRecord then
    redis.call('llen', map)
  end
  return value, idleMs
end

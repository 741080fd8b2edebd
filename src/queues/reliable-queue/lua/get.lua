-- Read a message, wherever it is.
--
-- Returns {its id, how often it has failed, its record, where it is}; nothing if there is no such message.

local id = ARGV[1]

-- As counts.lua says it, but for a delivery that has ended: it is in flight until messages are taken again.
local function placeOf(record)
  local priority, _, group = attributesOf(record)
  if redis.call('zscore', ready, id) then
    return 'ready'
  end
  for _, mark in ipairs({ '+', '-' }) do
    local due = redis.call('zscore', delayed, delayedEntry(id, priority, mark, group))
    if due then
      return tonumber(due) > serverTimeMs() and 'delayed' or 'ready'
    end
  end
  if redis.call('zscore', grouped, groupedEntry(id, priority, group)) then
    return 'heldBack'
  end
  return redis.call('zscore', dead, id) and 'dead' or 'inFlight'
end

local record = redis.call('hget', records, id)
if not record then
  return {}
end
return { id, tonumber(redis.call('hget', facts, 'f' .. id) or 0), record, placeOf(record) }

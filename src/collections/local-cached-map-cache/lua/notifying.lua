-- Change a map cache, and notify the local caches of the entries that were changed, and of those that were removed to make room.
--
-- The last arguments are the channel, empty where nothing is published; what is published if an entry was changed, empty for nothing; and the command to
-- publish by. So the change itself finds its arguments in their places.
-- Returns {what the change returns, 1 if an entry was changed, in how many milliseconds the map expires: -1 for never, for how many milliseconds the
-- entry that was set may be kept: -1 for any, the keys of those that were removed for it}, or the error of the change.

local publish, message, channel = table.remove(ARGV), table.remove(ARGV), table.remove(ARGV)
local map, ttl, idle = KEYS[1], KEYS[2], KEYS[3]

local isChanged, lastSet, lastRecord, removed = 0, nil, nil, {}

-- The message that says which entries were removed: its type, and each key after its length.
local function evictedMessage()
  local parts = { '\128' }
  for _, field in ipairs(removed) do
    parts[#parts + 1] = struct.pack('>I4c0', #field, field)
  end
  return table.concat(parts)
end

-- Notes what is set and removed.
local function call(...)
  local command, key, field, record = ...
  local reply = redis.call(...)
  if key ~= map then
    return reply
  elseif command == 'hset' then
    isChanged, lastSet, lastRecord = 1, field, record
  elseif command == 'hdel' then
    isChanged = 1
    removed[#removed + 1] = field
  elseif command == 'unlink' and reply > 0 then
    isChanged = 1
  end
  return reply
end

local reply = change(setmetatable({ call = call }, { __index = redis }))
if type(reply) == 'table' and reply.err then
  return reply
end
if channel ~= '' and isChanged == 1 then
  if message ~= '' then
    tell(publish, channel, message)
  end
  if #removed > 0 and (lastSet or message == '') then
    tell(publish, channel, evictedMessage())
  end
end
local keptMs = lastSet and keepableMs(ttl, idle, lastSet, struct.unpack('d', lastRecord), serverTimeMs()) or -1
return { reply, isChanged, redis.call('pttl', map), keptMs, lastSet and removed or {} }

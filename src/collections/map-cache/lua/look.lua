-- Read the values of many fields whose time to live has not ended, whatever their idle time. Nothing is changed.
--
-- Returns the value of each, or nil.

local map, ttl = KEYS[1], KEYS[2]
local fields = ARGV

local now = serverTimeMs()
local values = {}
for place, field in ipairs(fields) do
  local record, moment = redis.call('hget', map, field), redis.call('zscore', ttl, field)
  values[place] = false
  if record and not (moment and tonumber(moment) <= now) then
    values[place] = valueIn(map, record)
  end
end
return values

-- Sets the values of many fields, and how long they last; ttlMs: '0' for as long as they are not removed.
local function setAll(map, ttlMs, entries)
  if ttlMs ~= '0' then
    redis.call('hpttl', map, 'fields', 1, entries[1]) -- fails, before anything is written, where the server knows no ends of fields
  end
  inParts(entries, function(...)
    redis.call('hset', map, ...)
  end)
  if ttlMs == '0' then
    return
  end
  local fields = {}
  for place = 1, #entries, 2 do
    fields[#fields + 1] = entries[place]
  end
  inParts(fields, function(...)
    redis.call('hpexpire', map, ttlMs, 'fields', select('#', ...), ...)
  end)
end

-- Set the values of many fields.
--
-- Arguments are fields, each followed by its value. Returns how many there were.

local map = KEYS[1]
local entries = ARGV

inParts(entries, function(...)
  redis.call('hset', map, ...)
end)
return #entries / 2

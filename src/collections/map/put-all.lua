-- Set the values of many fields.
--
-- Arguments are fields, each followed by its value. Returns how many there were.

local map = KEYS[1]
local entries = ARGV

local MOST = 5000 -- even, and not more than a call can be given

for first = 1, #entries, MOST do
  redis.call('hset', map, unpack(entries, first, math.min(first + MOST - 1, #entries)))
end
return #entries / 2

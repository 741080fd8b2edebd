-- Read some entries of a map.
--
-- Returns {the cursor of the next entries, the entries, in how many milliseconds the map expires: -1 for never, -2 if it is not there}.

local map = KEYS[1]
local cursor, count = ARGV[1], ARGV[2]

local page = redis.call('hscan', map, cursor, 'count', count)
return { page[1], page[2], redis.call('pttl', map) }

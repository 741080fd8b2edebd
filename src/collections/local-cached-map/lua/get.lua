-- Read the value of a field.
--
-- Returns {the value, or nil, in how many milliseconds the map expires: -1 for never, -2 if it is not there}.

local map = KEYS[1]
local field = ARGV[1]

return { redis.call('hget', map, field), redis.call('pttl', map) }

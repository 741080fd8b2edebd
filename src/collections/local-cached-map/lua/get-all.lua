-- Read the values of some fields.
--
-- Returns {in how many milliseconds the map expires: -1 for never, -2 if it is not there; the values, each of which may be nil}.

local map = KEYS[1]
local fields = ARGV

return { redis.call('pttl', map), redis.call('hmget', map, unpack(fields)) }

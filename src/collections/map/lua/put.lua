-- Set the value of a field.
--
-- Returns the value before; nil if there was none.

local map = KEYS[1]
local field, value = ARGV[1], ARGV[2]

local before = redis.call('hget', map, field)
redis.call('hset', map, field, value)
return before

-- Set the value of a field that has one.
--
-- Returns the value before; nil if there was none, and nothing was set.

local map = KEYS[1]
local field, value = ARGV[1], ARGV[2]

local before = redis.call('hget', map, field)
if before then
  redis.call('hset', map, field, value)
end
return before

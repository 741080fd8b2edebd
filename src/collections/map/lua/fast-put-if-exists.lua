-- Set the value of a field that has one.
--
-- Returns 1 if it was set, otherwise 0.

local map = KEYS[1]
local field, value = ARGV[1], ARGV[2]

if redis.call('hexists', map, field) == 0 then
  return 0
end
redis.call('hset', map, field, value)
return 1

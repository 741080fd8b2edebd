-- Set the value of a field that has none.
--
-- Returns the value that is there already; nil if the new one was set.

local map = KEYS[1]
local field, value = ARGV[1], ARGV[2]

if redis.call('hsetnx', map, field, value) == 1 then
  return false
end
return redis.call('hget', map, field)

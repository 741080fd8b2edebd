-- Set the value of a field if the present one is as expected, by its bytes.
--
-- Returns 1 if it was set, otherwise 0.

local map = KEYS[1]
local field, expected, value = ARGV[1], ARGV[2], ARGV[3]

if redis.call('hget', map, field) ~= expected then
  return 0
end
redis.call('hset', map, field, value)
return 1

-- Remove a field if its value is as expected, by its bytes.
--
-- Returns 1 if it was removed, otherwise 0.

local map = KEYS[1]
local field, expected = ARGV[1], ARGV[2]

if redis.call('hget', map, field) ~= expected then
  return 0
end
return redis.call('hdel', map, field)

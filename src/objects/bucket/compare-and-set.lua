-- Set a value if the present one is as expected, by its bytes.
--
-- Returns 1 if it was set, otherwise 0.

local bucket = KEYS[1]
local value, expected = ARGV[1], ARGV[2]

if redis.call('get', bucket) ~= expected then
  return 0
end
redis.call('set', bucket, value)
return 1

-- Remove a value if it is as expected.
--
-- Returns 1 if it was removed, otherwise 0.

local bucket = KEYS[1]
local expected = ARGV[1]

if redis.call('get', bucket) ~= expected then
  return 0
end
return redis.call('del', bucket)

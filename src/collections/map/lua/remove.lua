-- Remove a field.
--
-- Returns the value that it had; nil if it had none.

local map = KEYS[1]
local field = ARGV[1]

local before = redis.call('hget', map, field)
if before then
  redis.call('hdel', map, field)
end
return before

-- Set the value of a field, for as long as it is not removed. Redis 7.4 counts one as there that has ended, as long as its memory is not freed.
--
-- Returns 1 if the field is new, otherwise 0.

local map = KEYS[1]
local field, value = ARGV[1], ARGV[2]

local isThere = redis.call('hexists', map, field)
redis.call('hset', map, field, value)
return 1 - isThere

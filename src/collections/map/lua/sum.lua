-- Add to a number without changing anything: `scratch` is gone at the end.
--
-- Returns the sum.

local scratch = KEYS[1]
local before, delta = ARGV[1], ARGV[2]

redis.call('set', scratch, before)
local sum = redis.pcall('incrbyfloat', scratch, delta)
redis.call('del', scratch)
return sum

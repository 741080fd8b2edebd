-- Add to a counter.
--
-- Returns the text of its value before: the sum less what was added would be rounded.

local counter = KEYS[1]
local delta = ARGV[1]

local before = redis.call('get', counter)
local sum = redis.pcall('incrbyfloat', counter, delta)
if type(sum) == 'table' and sum.err then
  return sum
end
return before

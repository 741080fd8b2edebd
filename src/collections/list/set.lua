-- Set the element of an index, which counts from the back if it is below zero.
--
-- Returns the element before; nil if there is none, and nothing was set.

local list = KEYS[1]
local index, value = ARGV[1], ARGV[2]

local before = redis.call('lindex', list, index)
if before then
  redis.call('lset', list, index, value)
end
return before

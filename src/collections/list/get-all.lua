-- Read the elements of some indexes, which count from the back if they are below zero.
--
-- Returns a list with nil for each index that has no element.

local list = KEYS[1]
local indexes = ARGV

local elements = {}
for i, index in ipairs(indexes) do
  elements[i] = redis.call('lindex', list, index)
end
return elements

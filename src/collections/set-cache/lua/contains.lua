-- Look for values.
--
-- Returns for each of them 1 if it is there, otherwise 0.

local set = KEYS[1]
local values = ARGV

local found = {}
for place, value in ipairs(values) do
  found[place] = endOf(set, value) and 1 or 0
end
return found

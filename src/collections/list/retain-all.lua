-- Remove all elements that have none of some values, as valueOf() tells them. See removeWhere().
--
-- Returns 1 if there were any, otherwise 0.

local list = KEYS[1]
local values = ARGV

local wanted = {}
for _, value in ipairs(values) do
  wanted[value] = true
end
return removeWhere(list, function(element)
  return not wanted[valueOf(element)]
end)

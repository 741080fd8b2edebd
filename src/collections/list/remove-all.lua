-- Remove all elements that have one of some values, as valueOf() tells them. See removeWhere().
--
-- Returns 1 if there were any, otherwise 0.

local list = KEYS[1]
local values = ARGV

local unwanted = {}
for _, value in ipairs(values) do
  unwanted[value] = true
end
return removeWhere(list, function(element)
  return unwanted[valueOf(element)]
end)

-- Look for elements in a sorted list.
--
-- Returns how many of them are there; -2 if elements cannot be compared.

local set, comparator = KEYS[1], KEYS[2]
local form, elements = ARGV[1], restOf(ARGV, 2)

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
local found = 0
for _, element in ipairs(elements) do
  local index, there = placeOf(set, keyOf(element, form), form)
  if not index then
    return MIXED
  end
  if there then
    found = found + 1
  end
end
return found

-- Look for elements in a sorted list.
--
-- Returns how many of them are there; -2 if elements cannot be compared, -3 if they are too large for one script.

local set, comparator = KEYS[1], KEYS[2]
local form, most, elements = ARGV[1], ARGV[2], restOf(ARGV, 3)

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
local places, failure = eachPlaceOf(set, elements, form, most)
if not places then
  return failure
end
local found = 0
for _, place in ipairs(places) do
  if place.there then
    found = found + 1
  end
end
return found

-- Add elements to a sorted list, each in its place.
--
-- Returns how many were added; -1 if the lock is held, -2 if elements cannot be compared, -3 if they are too far away or too large for one script. Then
-- nothing was changed.

local set, lock, comparator = KEYS[1], KEYS[2], KEYS[3]
local held, form, most, elements = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
if isLocked(lock, held) then
  return LOCKED
end
local places, failure = placesOf(set, elements, form, most)
if not places then
  return failure
end

local new = {}
for _, place in ipairs(places) do
  if not place.there then
    new[#new + 1] = place
  end
end
return insertAll(set, new, most)

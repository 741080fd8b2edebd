-- Remove elements from a sorted list.
--
-- Returns how many were removed; -1 if the lock is held, -2 if elements cannot be compared. Then nothing was changed.

local set, lock, comparator = KEYS[1], KEYS[2], KEYS[3]
local held, form, elements = ARGV[1], ARGV[2], restOf(ARGV, 3)

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
if isLocked(lock, held) then
  return LOCKED
end
local places = placesOf(set, elements, form)
if not places then
  return MIXED
end

local half = redis.call('llen', set) / 2
local removed = 0
for _, place in ipairs(places) do
  if place.there then
    redis.call('lrem', set, place.index < half and 1 or -1, place.there) -- from the end that is nearer
    removed = removed + 1
  end
end
return removed

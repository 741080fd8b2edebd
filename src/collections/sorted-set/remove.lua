-- Remove elements from a sorted list.
--
-- Returns how many were removed; -1 if the lock is held, -2 if elements cannot be compared, -3 if they are too far away or too large for one script. Then
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

local size = redis.call('llen', set)
local removed, steps = 0, 0
for _, place in ipairs(places) do
  if place.there then
    removed = removed + 1
    steps = steps + math.min(place.index, size - place.index)
  end
end
if isTooFar(removed, steps, most) then
  return TOO_FAR
end
for _, place in ipairs(places) do
  if place.there then
    redis.call('lrem', set, place.index < size / 2 and 1 or -1, place.there) -- from the end that is nearer
  end
end
return removed

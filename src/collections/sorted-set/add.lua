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

local size = redis.call('llen', set)

-- Redis looks for the next element from the first one on. What comes after the last one has none.
local function insert(index, group)
  if index == size then
    redis.call('rpush', set, unpack(group))
    return
  end
  local next = redis.call('lindex', set, index)
  for _, element in ipairs(group) do
    redis.call('linsert', set, 'before', next, element)
  end
end

local groups = {}
local added, steps = 0, 0
for _, place in ipairs(places) do
  if not place.there then
    local last = groups[#groups]
    if not last or last.index ~= place.index then
      last = { index = place.index, elements = {} }
      groups[#groups + 1] = last
    end
    last.elements[#last.elements + 1] = place.element
    added = added + 1
    steps = steps + (place.index == size and 0 or place.index)
  end
end
if isTooFar(added, steps, most) then
  return TOO_FAR
end
-- The last ones first, so that each finds its index where it was.
for i = #groups, 1, -1 do
  insert(groups[i].index, groups[i].elements)
end
return added

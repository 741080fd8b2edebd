-- Add elements to a priority queue, each behind those that are equal to it.
--
-- Returns how many were added; -1 if the lock is held, -2 if elements cannot be compared, -3 if they are too far away or too large for one script. Then
-- nothing was changed.

local queue, lock, comparator = KEYS[1], KEYS[2], KEYS[3]
local held, form, most, elements = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
if isLocked(lock, held) then
  return LOCKED
end

local places, bytes = {}, 0
for i, element in ipairs(elements) do
  local key = keyOf(element, form)
  local index, read = boundOf(queue, key, form)
  if not index then
    return MIXED
  end
  bytes = bytes + read + SORTING * #element
  if isTooFar(#elements, bytes / BYTES_OF_STEP, most) then
    return TOO_FAR
  end
  places[i] = { element = element, key = key, index = index, turn = i }
end
table.sort(places, function(one, other)
  if one.index ~= other.index then
    return one.index < other.index
  end
  local order = compare(one.key, other.key, form)
  return order < 0 or (order == 0 and one.turn < other.turn)
end)
return insertAll(queue, places, most)

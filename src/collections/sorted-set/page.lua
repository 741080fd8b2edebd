-- Read some elements of a sorted list: the first ones, or those after another.
--
-- last: nothing, or the element after which they come, whether or not it is still there. Returns 0 and the elements; -2 if
-- elements cannot be compared.

local set, comparator = KEYS[1], KEYS[2]
local form, count, last = ARGV[1], ARGV[2], restOf(ARGV, 3)

local first = 0
if last[1] then
  local refusal = otherOrder(comparator)
  if refusal then
    return refusal
  end
  local index, there = placeOf(set, keyOf(last[1], form), form)
  if not index then
    return { MIXED, {} }
  end
  first = there and index + 1 or index
end
return { 0, redis.call('lrange', set, first, first + count - 1) }

-- Read some elements of a sorted list: the first ones, or those after another.
--
-- last: nothing, or the element after which they come, whether or not it is still there. Returns 0 and the elements; -2 if
-- elements cannot be compared.

local set, comparator = KEYS[1], KEYS[2]
local form, count, last = ARGV[1], ARGV[2], restOf(ARGV, 3)

if not last[1] then
  return { 0, redis.call('lrange', set, 0, count - 1) }
end
local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
local key = keyOf(last[1], form)
local index, there = placeOf(set, key, form)
if not index then
  return { MIXED, {} }
end
local first = there and index + 1 or index
local page = redis.call('lrange', set, first, first + count - 1)
-- Pages of a list that is not sorted would never come to an end.
if page[1] and compare(keyOf(page[#page], form), key, form) ~= 1 then
  return { 0, {} }
end
return { 0, page }

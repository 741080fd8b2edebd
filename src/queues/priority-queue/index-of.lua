-- Look for an element of a priority queue.
--
-- Returns the index of the first one that is equal to it; -1 if there is none, -2 if it cannot be compared.

local queue, comparator = KEYS[1], KEYS[2]
local form, element = ARGV[1], ARGV[2]

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
local key = keyOf(element, form)
local index = boundOf(queue, key, form, true)
if not index then
  return MIXED
end
local there = redis.call('lindex', queue, index)
return there and compare(key, keyOf(there, form), form) == 0 and index or -1

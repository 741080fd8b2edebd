-- Remove elements of a priority queue by their value.
--
-- which: 'first', 'last' or 'every' one of those that are equal to an element. Returns how many were removed; -1 if the lock is held, -2 if elements cannot
-- be compared, -3 if they are too many or too large for one script. Then nothing was changed.

local queue, lock, comparator = KEYS[1], KEYS[2], KEYS[3]
local held, form, most, which, elements = ARGV[1], ARGV[2], ARGV[3], ARGV[4], restOf(ARGV, 5)

local refusal = otherOrder(comparator)
if refusal then
  return refusal
end
if isLocked(lock, held) then
  return LOCKED
end

local steps = #elements * redis.call('llen', queue)
for _, element in ipairs(elements) do
  local index, read = boundOf(queue, keyOf(element, form), form, true)
  if not index then
    return MIXED
  end
  steps = steps + read / BYTES_OF_STEP
  if isTooFar(#elements, steps, most) then
    return TOO_FAR
  end
end

local REMOVED = { first = 1, last = -1, every = 0 }

local function equalTo(key)
  local index = boundOf(queue, key, form, which ~= 'last')
  if which == 'last' and index then
    index = index - 1
  end
  local there = index and index >= 0 and redis.call('lindex', queue, index)
  return there and compare(key, keyOf(there, form), form) == 0 and there
end

-- The same value may be written in several ways: those that are equal are removed one way after the other.
local function removeEqual(element)
  local key = keyOf(element, form)
  local removed = 0
  repeat
    local there = equalTo(key)
    if there then
      removed = removed + redis.call('lrem', queue, REMOVED[which], there)
    end
  until not there or which ~= 'every'
  return removed
end

local count = 0
for _, element in ipairs(elements) do
  count = count + removeEqual(element)
end
return count

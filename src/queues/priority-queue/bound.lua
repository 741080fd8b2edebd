-- Where an element belongs in a sorted list that may have several equal ones.
--
-- Returns the index of the first element that comes after it; with `isFirst`, of the first one that does not come before it. And how many bytes it has read.
-- Returns nil if the element cannot be compared with those that are there.
local function boundOf(queue, key, form, isFirst)
  if not key then
    return nil
  end
  local low, high, bytes = 0, redis.call('llen', queue), 0
  while low < high do
    local middle = math.floor((low + high) / 2)
    local element = redis.call('lindex', queue, middle)
    bytes = bytes + #element
    local order = compare(key, keyOf(element, form), form)
    if not order then
      return nil
    elseif order < 0 or (isFirst and order == 0) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low, bytes
end

-- Insert elements into a sorted list, each in its place.
--
-- Redis looks for the next element from the first one on. What comes after the last one has none.
local function insertGroup(set, size, index, group)
  if index == size then
    redis.call('rpush', set, unpack(group))
    return
  end
  local next = redis.call('lindex', set, index)
  for _, element in ipairs(group) do
    redis.call('linsert', set, 'before', next, element)
  end
end

-- places: in their order, each with its element and the index of the next one. Returns how many there are; TOO_FAR if they are that, and nothing was
-- changed.
local function insertAll(set, places, most)
  local size = redis.call('llen', set)
  local groups = {}
  local steps = 0
  for _, place in ipairs(places) do
    local last = groups[#groups]
    if not last or last.index ~= place.index then
      last = { index = place.index, elements = {} }
      groups[#groups + 1] = last
    end
    last.elements[#last.elements + 1] = place.element
    steps = steps + (place.index == size and 0 or place.index)
  end
  if isTooFar(#places, steps, most) then
    return TOO_FAR
  end
  -- The last ones first, so that each finds its index where it was.
  for i = #groups, 1, -1 do
    insertGroup(set, size, groups[i].index, groups[i].elements)
  end
  return #places
end

local PAGE = 5000

-- Redis looks for one value some twenty times as fast as a script looks at all elements and moves them.
local FEW = 10

-- How many elements Redis may compare with more values than that, which takes some ten milliseconds.
local MOST_COMPARED = 1000000

-- Whether it takes too long to look for that many values one by one.
local function isMuch(count, size)
  return count > FEW and count * size > MOST_COMPARED
end

-- The different values among the elements that shall go: all of them, unless they are more than Redis may look for.
local function unwantedValues(list, size, isUnwanted)
  local values, known = {}, {}
  for first = 0, size - 1, PAGE do
    for _, element in ipairs(redis.call('lrange', list, first, first + PAGE - 1)) do
      if not known[element] and isUnwanted(element) then
        known[element] = true
        values[#values + 1] = element
      end
    end
    if isMuch(#values, size) then
      break
    end
  end
  return values
end

-- Move the elements that stay to the end, page by page, so that all others are gone when each element had its turn. A page is trimmed off
-- last: as long as something stays, the list is never empty, and keeps its time to live.
local function rotate(list, isUnwanted)
  local left = redis.call('llen', list)
  while left > 0 do
    local page = redis.call('lrange', list, 0, math.min(PAGE, left) - 1)
    local kept = {}
    for _, element in ipairs(page) do
      if not isUnwanted(element) then
        kept[#kept + 1] = element
      end
    end
    push('rpush', list, kept)
    redis.call('ltrim', list, #page, -1)
    left = left - #page
  end
end

-- Remove the elements of a list for which a function says so. Returns 1 if there were any, otherwise 0.
--
-- Redis removes one value after the other, for each of which it looks at the whole list. Where that would take too long, it does so for the first,
-- so that listeners hear of the removal, and the others go by a rotation of the list.
local function removeWhere(list, isUnwanted)
  local size = redis.call('llen', list)
  local values = unwantedValues(list, size, isUnwanted)
  local turns = isMuch(#values, size)
  for i = 1, turns and 1 or #values do
    redis.call('lrem', list, 0, values[i])
  end
  if turns then
    rotate(list, isUnwanted)
  end
  return #values > 0 and 1 or 0
end

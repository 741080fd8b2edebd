-- The keys with the values of a multimap, and the sorted set of the ends of its keys, which is the second that is given.
local keysOfValues = otherKeys

local function otherKeys(multimap, given, target, database, home)
  local step = target and 2 or 1
  local keys = keysOfValues(multimap, given, target, database, home)
  for place = step + 1, 2 * step do
    keys[#keys + 1] = given[place]
  end
  return keys
end

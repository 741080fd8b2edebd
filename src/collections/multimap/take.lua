-- Remove the values of a key of a multimap, and return them: as many as there may be at most, or, if it has to be all of them, none where there
-- are more.
--
-- whole: whether it has to be all of them, if this is 1. Returns nil if there are more, and none was removed.

local values = KEYS[1]
local most, whole = ARGV[1], ARGV[2]

if whole == '1' and countOf(values) > tonumber(most) then
  return false
end
return take(values, tonumber(most))

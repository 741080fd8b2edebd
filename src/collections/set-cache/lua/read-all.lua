-- Read a set cache at once, unless it is too large for that.
--
-- Returns its values; nil if there are more than `most`.

local set = KEYS[1]
local most = ARGV[1]

if sizeOf(set) > tonumber(most) then
  return false
end
return valuesOf(set)

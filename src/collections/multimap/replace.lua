-- Set the values of a key of a multimap, unless it has too many.
--
-- Returns those that it had; nil if there are more than most, and nothing was changed.

local values = KEYS[1]
local most, wanted = ARGV[1], restOf(ARGV, 2)

if countOf(values) > tonumber(most) then
  return false
end
local before = take(values, tonumber(most))
if #wanted > 0 then
  add(values, wanted)
end
return before

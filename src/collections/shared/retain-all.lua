-- Remove all values of a set but some, at once, unless it is too large for that.
--
-- Returns 1 if any was removed, otherwise 0; nil if there are more than `most`, and none was removed.

local set = KEYS[1]
local most, kept = ARGV[1], restOf(ARGV, 2)

if sizeOf(set) > tonumber(most) then
  return false
end
local isKept = {}
for _, value in ipairs(kept) do
  isKept[value] = true
end
local others = {}
for _, value in ipairs(valuesOf(set)) do
  if not isKept[value] then
    others[#others + 1] = value
  end
end
if #others == 0 then
  return 0
end
removeFrom(set, others)
return 1

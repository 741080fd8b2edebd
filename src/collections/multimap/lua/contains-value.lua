-- Look for a value among those of some keys of a multimap. See valuesPage().
--
-- Returns the cursor of the next keys, and whether one of these has it (1).

local multimap, prefix = KEYS[1], KEYS[2]
local cursor, count, value = ARGV[1], ARGV[2], ARGV[3]

local following, _, keys, wrongType = valuesPage(multimap, prefix, cursor, count)
if wrongType then
  return wrongType
end
for _, values in ipairs(keys) do
  if has(values, value) then
    return { following, { 1 } }
  end
end
return { following, { 0 } }

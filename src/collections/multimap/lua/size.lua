-- Count the values of some keys of a multimap. See valuesPage().
--
-- Returns the cursor of the next keys, and how many values these have.

local multimap, prefix = KEYS[1], KEYS[2]
local cursor, count = ARGV[1], ARGV[2]

local following, _, keys, wrongType = valuesPage(multimap, prefix, cursor, count)
if wrongType then
  return wrongType
end
local size = 0
for _, values in ipairs(keys) do
  size = size + countOf(values)
end
return { following, { size } }

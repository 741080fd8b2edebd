-- Remove values from some keys of a multimap, and the keys that have none left. See valuesPage().
--
-- Returns the cursor of the next keys, and how many values were removed.

local multimap, prefix = KEYS[1], KEYS[2]
local cursor, count, unwanted = ARGV[1], ARGV[2], restOf(ARGV, 3)

local following, fields, keys, wrongType = valuesPage(multimap, prefix, cursor, count)
if wrongType then
  return wrongType
end
for _, values in ipairs(keys) do
  countOf(values) -- fails before anything is changed if a key belongs to something else
end
local removed = 0
for i, values in ipairs(keys) do
  for _, value in ipairs(unwanted) do
    removed = removed + remove(values, value)
  end
  if redis.call('exists', values) == 0 then
    redis.call('hdel', multimap, fields[i])
  end
end
return { following, { removed } }

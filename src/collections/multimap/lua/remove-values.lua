-- Remove values from some keys of a multimap, and the keys that have none left. See valuesPage().
--
-- whole: whether the keys have to be all of them, if this is 1: otherwise nothing is changed.
-- Returns the cursor of the next keys, and how many values were removed. If there are more keys than count and it has to be all, any cursor but that of
-- the end.

local multimap, prefix = KEYS[1], KEYS[2]
local cursor, count, whole, unwanted = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

if whole == '1' and redis.call('hlen', multimap) > tonumber(count) then
  return { '1', {} }
end

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

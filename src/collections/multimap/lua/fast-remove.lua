-- Remove keys of a multimap, with all their values.
--
-- values: for each field the key that has its values. Returns how many of the keys were there.

local multimap, values = KEYS[1], restOf(KEYS, 2)
local fields = ARGV

for i, field in ipairs(fields) do
  local wrongType = fieldOf(multimap, field, string.sub(values[i], -22))
  if wrongType then
    return wrongType
  end
end
local removed = 0
for i, field in ipairs(fields) do
  local wasNamed = redis.call('hdel', multimap, field)
  if wasNamed == 0 then
    beginKey(values[i])
  end
  local hadValues = redis.call('unlink', values[i])
  removed = removed + math.max(wasNamed, hadValues)
end
return removed

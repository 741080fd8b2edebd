-- Remove keys of a multimap, with all their values.
--
-- values: for each field the key that has its values. Returns how many of the keys were there.

local multimap, values = KEYS[1], restOf(KEYS, 2)
local fields = ARGV

local removed = 0
for i, field in ipairs(fields) do
  local wasNamed = redis.call('hdel', multimap, field)
  local hadValues = redis.call('unlink', values[i])
  removed = removed + math.max(wasNamed, hadValues)
end
return removed

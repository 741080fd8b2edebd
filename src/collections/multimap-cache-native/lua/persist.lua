-- Have the multimap expire no more, nor the values of its keys, but with these.
--
-- kind: see otherKind().
-- Returns 1 if it would have expired, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local kind = ARGV[1]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
for _, values in ipairs(otherKeys(object, others)) do
  expireValues(values, endOfKeyWith(object, values))
end
return redis.call('persist', object)

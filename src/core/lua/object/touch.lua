-- Have the object count as used now, with all its keys.
--
-- kind: see otherKind().
-- Returns 1 if it is there, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local kind = ARGV[1]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = ownKeys(object, kind, others)
for _, key in ipairs(others) do
  redis.call('touch', key)
end
return redis.call('touch', object)

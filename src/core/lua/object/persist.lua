-- Have the object expire no more, nor any of its keys.
--
-- kind: see otherKind().
-- Returns 1 if it would have expired, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local kind = ARGV[1]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = otherKeys(object, others)

if redis.call('exists', object) == 0 then
  return 0 -- what outlasts an object goes on expiring
end
local cleared = redis.call('persist', object)
for _, key in ipairs(others) do
  redis.call('persist', key)
end
return cleared

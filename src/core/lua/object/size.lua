-- Read how much memory the object takes, with all its keys.
--
-- kind: see otherKind().
-- Returns bytes; 0 if it is not there.

local object, others = KEYS[1], restOf(KEYS, 2)
local kind = ARGV[1]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = ownKeys(object, kind, others)
local bytes = redis.call('memory', 'usage', object) or 0
for _, key in ipairs(others) do
  bytes = bytes + (redis.call('memory', 'usage', key) or 0)
end
return bytes

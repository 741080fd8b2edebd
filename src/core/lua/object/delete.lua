-- Remove the object, with all its keys.
--
-- command: 'del', or 'unlink' to free the memory in the background. kind: see otherKind(). channel, message: see wakeWaiters().
-- Returns 1 if it was there, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local command, kind, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = ownKeys(object, kind, others)

local deleted = redis.call(command, object)
for _, key in ipairs(others) do
  redis.call(command, key)
end
if deleted == 1 then
  wakeWaiters(publish, channel, message, object)
end
return deleted

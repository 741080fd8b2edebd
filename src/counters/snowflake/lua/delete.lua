-- Remove the snowflake. Its bounds stay until the last window has ended, since holders hand out ids until they notice.
--
-- command: 'del', or 'unlink' to free the memory in the background. kind: see otherKind(). others: its bounds.
-- No one waits, so there is no channel and no message.
-- Returns 1 if it was there, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local command, kind, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local wrongType = otherKind(object, kind)
if wrongType then
  return wrongType
end
if redis.call('exists', object) == 0 then
  leaveBounds(others[1]) -- of one that was evicted
  return 0
end
local last = lastOfAll(object, others[1])
redis.call(command, object)
leaveBounds(others[1], last)
return 1

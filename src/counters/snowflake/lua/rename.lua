-- Give the snowflake another name. What had that name is replaced, and both names keep the bounds: see delete.lua.
--
-- others: its bounds, and those under the new name; then what nothing becomes of, and the ends of entries of what is replaced. onlyIfFree: whether an
-- object that has the name stays, if this is 1. kind: see otherKind(). No one waits, so there is no channel and no message.
-- Returns 1 if it was renamed, 0 if the name is taken, or -1 if the object is not there.

local object, target, others = KEYS[1], KEYS[2], restOf(KEYS, 3)
local onlyIfFree, kind, channel, newChannel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local bounds, newBounds, ends = others[1], others[2], restOf(others, 3)

local wrongType = otherKind(object, kind)
if wrongType then
  return wrongType
end
if redis.call('exists', object) == 0 then
  return -1
end
if onlyIfFree == '1' and redis.call('exists', target) == 1 then
  return 0
end
if object == target then
  return 1
end

local last = lastOfAll(object, bounds)
redis.call('rename', object, target)
adopt(target, newBounds, redis.call('dump', bounds))
removeEnds(ends)
leaveBounds(bounds, last)
return 1

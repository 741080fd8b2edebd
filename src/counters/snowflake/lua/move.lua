-- Move the snowflake to another database. Both databases keep the bounds: see delete.lua.
--
-- home: the database of the client, in which the script ends. kind: see otherKind(). others: its bounds.
-- No one waits, so there is no channel and no message.
-- Returns 1 if it was moved, or 0 if its name is taken there or it is not there itself.

local object, others = KEYS[1], restOf(KEYS, 2)
local database, home, kind, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local bounds = others[1]

local wrongType = otherKind(object, kind)
if wrongType then
  return wrongType
end
if redis.call('exists', object) == 0 then
  return 0
end
local last = lastOfAll(object, bounds)
local moved = redis.call('move', object, database)
if moved == 1 then
  local state = redis.call('dump', bounds)
  redis.call('select', database)
  adopt(object, bounds, state)
  redis.call('select', home)
  leaveBounds(bounds, last)
end
return moved

-- Move the object to another database, with all its keys.
--
-- home: the database of the client, in which the script ends. kind: see otherKind(). channel, message: see wakeWaiters().
-- Returns 1 if it was moved, or 0 if its name is taken there or it is not there itself.

local object, others = KEYS[1], restOf(KEYS, 2)
local database, home, kind, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = otherKeys(object, others)

if isTaken(kind, object, others[1], database, home) then
  return 0
end

local moved = redis.call('move', object, database)
local absent = {}
if moved == 1 then
  for _, key in ipairs(others) do
    -- `move` would leave what another object has left there.
    if redis.call('copy', key, key, 'db', database, 'replace') == 1 then
      redis.call('unlink', key)
    else
      absent[#absent + 1] = key
    end
  end
  wakeWaiters(publish, channel, message, object)
end

-- Leaves nothing of another object beside the one that was moved.
if #absent > 0 then
  redis.call('select', database)
  for _, key in ipairs(absent) do
    redis.call('unlink', key)
  end
  redis.call('select', home)
end
return moved

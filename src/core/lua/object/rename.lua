-- Give the object another name, with all its keys. What had that name is replaced.
--
-- others: every other key of the object, each followed by the one that it becomes. onlyIfFree: whether an object that has the name stays,
-- if this is 1. kind: see otherKind(). channel, newChannel, message: see wakeWaiters().
-- Returns 1 if it was renamed, 0 if the name is taken, or -1 if the object is not there.

local object, target, others = KEYS[1], KEYS[2], restOf(KEYS, 3)
local onlyIfFree, kind, channel, newChannel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = otherKeys(object, others, target, '')

-- Leaves nothing of another object beside the one that gets its name.
local function become(key, newKey)
  if redis.call('exists', key) == 1 then
    redis.call('rename', key, newKey)
  else
    redis.call('unlink', newKey)
  end
end

local renamed = 1
if redis.call('exists', object) == 0 then
  renamed = -1
elseif onlyIfFree == '1' and isTaken(kind, target, others[2], '') then
  renamed = 0
else
  become(object, target)
  for i = 1, #others, 2 do
    become(others[i], others[i + 1])
  end
  wakeWaiters(publish, channel, message, object)
  wakeWaiters(publish, newChannel, message, target)
end
return renamed

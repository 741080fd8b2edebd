-- Whether a hash is a lock: one field, the owner, with its hold count.
local function isLock(lock)
  if redis.call('hlen', lock) ~= 1 then
    return false
  end
  local owner, holds = unpack(redis.call('hgetall', lock))
  return string.find(owner, '^.+:%d+$') and string.find(holds, '^%d+$')
end

-- How often an owner holds a lock; nil if not at all. For a name that belongs to something else, the error as well.
local function holdsOf(lock, owner)
  local mode, holds = unpack(redis.call('hmget', lock, 'mode', owner))
  if mode then
    return nil, redis.error_reply('WRONGTYPE the name belongs to a read-write lock')
  end
  if not holds and redis.call('exists', lock) == 1 and not isLock(lock) then
    return nil, redis.error_reply('WRONGTYPE the name belongs to another kind of object')
  end
  return tonumber(holds)
end

-- How often an owner holds a lock; nil if not at all. For a name that belongs to something else, the error as well.
local function holdsOf(lock, owner)
  local mode, holds = unpack(redis.call('hmget', lock, 'mode', owner))
  if mode then
    return nil, redis.error_reply('WRONGTYPE the name belongs to a read-write lock')
  end
  return tonumber(holds)
end

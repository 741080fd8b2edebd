-- Leaves an owner with `remaining` holds. With none the lock is free, and the waiters are notified.
-- Returns how many clients have heard it; 0 where nothing is published.
local function giveBack(lock, channel, owner, remaining, publish)
  if remaining > 0 then
    redis.call('hset', lock, owner, remaining)
    return 0
  end
  redis.call('del', lock)
  return tell(publish, channel, '0')
end

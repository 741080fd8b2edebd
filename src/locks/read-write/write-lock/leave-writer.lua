-- Leaves the writer with `remaining` holds. With none it becomes a reader, if it reads as well, or the lock is free; either way the
-- waiters are notified. Returns how many clients have received it.
local function leave(lock, channel, markers, writer, _, remaining, publish)
  if remaining > 0 then
    redis.call('hset', lock, writer, remaining)
    return 0
  end
  redis.call('hdel', lock, writer)
  if not settleReaders(lock, markers) then
    redis.call('hset', lock, 'mode', 'read')
  end
  return tell(publish, channel, '1')
end

-- Leaves a reader, which has `held` holds, with `remaining` of them. If there are no more readers and no writer, the lock is free,
-- and the waiters are notified.
local function leave(lock, channel, markers, reader, held, remaining, publish)
  for number = held, remaining + 1, -1 do
    drop(markers, reader, number)
  end
  if remaining > 0 then
    redis.call('hset', lock, reader, remaining)
  else
    redis.call('hdel', lock, reader)
  end
  if redis.call('hget', lock, 'mode') == 'read' and settleReaders(lock, markers) then
    return tell(publish, channel, '0')
  end
end

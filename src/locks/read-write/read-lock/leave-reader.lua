-- Leaves a reader, which has `held` holds, with `remaining` of them. If there are no more readers and no writer, the lock is free,
-- and the waiters are notified. So they are if it is to end in less than half the time that was left, until when they may sleep: it
-- ends a little sooner with almost every reader that leaves.
local function leave(lock, channel, markers, reader, held, remaining, publish)
  for number = held, remaining + 1, -1 do
    drop(markers, reader, number)
  end
  if remaining > 0 then
    redis.call('hset', lock, reader, remaining)
  else
    redis.call('hdel', lock, reader)
  end
  if redis.call('hget', lock, 'mode') ~= 'read' then
    return
  end
  local leftMs = redis.call('pttl', lock)
  if settleReaders(lock, markers) or redis.call('pttl', lock) < leftMs / 2 then
    tell(publish, channel, '0')
  end
end

-- Takes one hold from a reader who has `held` of them, the latest one. If nobody reads or writes any more, the lock is free,
-- and whoever waits is told.
local function leave(lock, channel, markers, reader, held, publish)
  redis.call('del', markerOf(markers, reader, held))
  if held > 1 then
    redis.call('hincrby', lock, reader, -1)
  else
    redis.call('hdel', lock, reader)
  end
  if redis.call('hget', lock, 'mode') == 'read' and settleReaders(lock, markers) then
    redis.call(publish, channel, '0')
  end
end

-- Takes one hold from the writer, who has `held` of them. With the last one it becomes a reader, if it reads as well, or the
-- lock is free; either way whoever waits is told.
local function leave(lock, channel, markers, writer, held, publish)
  if held > 1 then
    redis.call('hincrby', lock, writer, -1)
    return
  end
  redis.call('hdel', lock, writer)
  if not settleReaders(lock, markers) then
    redis.call('hset', lock, 'mode', 'read')
  end
  redis.call(publish, channel, '1')
end

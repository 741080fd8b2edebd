-- Writers who wait for a lock that prefers them: each has said until when it will have said so again.

-- Whether a living writer waits. The dead are forgotten.
local function writersWait(writers)
  if redis.call('exists', writers) == 0 then
    return false
  end
  redis.call('zremrangebyscore', writers, '-inf', serverTimeMs())
  return redis.call('zcard', writers) > 0
end

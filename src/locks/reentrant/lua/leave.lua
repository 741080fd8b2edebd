-- Takes one hold from an owner. With the last one the lock is free, and the waiters are notified.
--
-- holds: how many the owner has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- Returns the holds that remain, how many clients heard that it is free, and whether it was this copy of the request that did it.
-- The first is -1 if the owner had none, and nil, with the error, for a wrong type.
local function leave(lock, channel, request, owner, holds, stale, leaseMs, publish, rememberMs)
  local held, wrongType = holdsOf(lock, owner)
  if wrongType then
    return nil, wrongType
  end

  local remembered = redis.call('get', request)
  if remembered then
    return tonumber(remembered), 0, false
  end

  -- The first copy of a request leaves no reply behind. That the count is lower already shows that it has run.
  local again = tonumber(rememberMs) > 0
  if again and (held or 0) < tonumber(holds) then
    remember(request, held or 0, rememberMs)
    return held or 0, 0, false
  end
  if not held then
    return -1, 0, false
  end

  local remaining = countAfterRelease(held, tonumber(holds), tonumber(stale))
  needNoMemory(request)
  local heard = giveBack(lock, channel, owner, remaining, publish)
  rememberRelease(request, remaining, held, tonumber(holds), rememberMs)
  if remaining > 0 and redis.call('pttl', lock) < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
  return remaining, heard, true
end

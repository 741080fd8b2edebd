-- Takes one hold from an owner. With the last one the lock goes to the heir, if there is one; otherwise it is free, and
-- whoever waits is told.
--
-- holds: how many the owner has, or 0 if it cannot know.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- heir: another owner of the same client who waits for the lock, or nothing.
-- Returns the holds that remain, whether the heir has the lock, how many heard that it is free, and whether it was this
-- copy of the request that did it. The first is -1 if the owner had none, and nil, with the error, for a wrong type.
local function leave(lock, channel, request, owner, holds, leaseMs, heir, heirLeaseMs, publish, rememberMs)
  local held, wrongType = holdsOf(lock, owner)
  if wrongType then
    return nil, wrongType
  end

  local answered = redis.call('get', request)
  if answered then
    return tonumber(answered), redis.call('hexists', lock, heir) == 1, 0, false
  end

  -- The first copy of a request leaves no answer behind. That the count is lower already shows that it has run.
  local again = tonumber(rememberMs) > 0
  if again and (held or 0) < tonumber(holds) then
    remember(request, held or 0, rememberMs)
    return held or 0, redis.call('hexists', lock, heir) == 1, 0, false
  end
  if not held then
    return -1, false, 0, false
  end

  remember(request, held - 1, rememberMs)
  if held == 1 and heir ~= '' then
    redis.call('hset', lock, heir, 1)
    redis.call('hdel', lock, owner)
    redis.call('pexpire', lock, heirLeaseMs)
    return 0, true, 0, true
  end
  local heard = giveBack(lock, channel, owner, held, publish)
  if held > 1 and redis.call('pttl', lock) < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
  return held - 1, false, heard, true
end

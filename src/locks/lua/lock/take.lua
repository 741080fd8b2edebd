-- Takes a lock for one more hold of an owner, unless somebody else has it. Entering again never shortens the lease that an
-- earlier hold was promised.
--
-- holds: the count that the owner will reach by this, or 0 if it cannot know.
-- Returns the hold count, and whether the owner has come in just now; or nil, and how long the present holder still has in
-- milliseconds, -1 for no end in sight. Where it is an error to ask, nil, nil and the error.
local function take(lock, request, leaseMs, owner, holds, rememberMs)
  if redis.call('exists', lock, request) == 0 then
    redis.call('hset', lock, owner, 1)
    redis.call('pexpire', lock, leaseMs)
    rememberTaken(request, leaseMs, rememberMs)
    return 1, true
  end

  local held, wrongType = holdsOf(lock, owner)
  if wrongType then
    return nil, nil, wrongType
  end
  local answered = redis.call('get', request)
  local leftMs = redis.call('pttl', lock)
  if answered == 'taken' and held then
    return held, false
  end
  if answered or not held then
    remember(request, 'refused', rememberMs)
    return nil, leftMs
  end

  -- That the count is reached already shows that an earlier copy of the request has run, which leaves no answer behind. So
  -- it does for an owner who believed to be outside: the answer to what let it in was lost.
  local again = tonumber(rememberMs) > 0 or holds == '1'
  local counted = again and tonumber(holds) > 0 and held >= tonumber(holds)
  if not counted and not reentrant then
    return nil, nil, redis.error_reply('NON_REENTRANT_REACQUIRE')
  end
  if not counted then
    held = redis.call('hincrby', lock, owner, 1)
  end
  if leftMs < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
  rememberTaken(request, leaseMs, rememberMs)
  return held, false
end

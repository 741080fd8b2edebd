-- Takes a lock for one more hold of an owner, unless another owner has it. Entering again never shortens the lease that an
-- earlier hold was promised.
--
-- holds: the count that the owner will reach by this, or 0 if it cannot know. stale: how many holds it has lost that may still count.
-- Returns the hold count, and whether the owner has come in just now; or nil, and how long the present holder still has in
-- milliseconds, -1 for no end in sight. Where it is an error to ask, nil, nil and the error.
local function take(lock, request, leaseMs, owner, holds, stale, rememberMs)
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
  local remembered = redis.call('get', request)
  local leftMs = redis.call('pttl', lock)
  if remembered == 'taken' and held then
    return held, false
  end
  if remembered or not held then
    remember(request, 'refused', rememberMs)
    return nil, leftMs
  end

  local count = countAfter(held, tonumber(holds), tonumber(stale), rememberMs)
  if count > held and not reentrant then
    return nil, nil, redis.error_reply('NON_REENTRANT_REACQUIRE')
  end
  if count ~= held then
    redis.call('hset', lock, owner, count)
  end
  -- With this hold alone, the owner was outside: a lease of holds that it has lost means nothing any more.
  if count == 1 or leftMs < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
  rememberTaken(request, leaseMs, rememberMs)
  return count, false
end

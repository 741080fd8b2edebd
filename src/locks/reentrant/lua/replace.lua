-- Puts an owner into the place of the one that has the lock, which releases its last hold by that.
--
-- An owner that has been entered by its name from elsewhere, or has left holds behind, stays. So does one with a longer lease: others
-- know of that one, and would sleep until its end without a release before the end of the shorter one.
--
-- Returns whether the owner has the lock, and what became of the other owner's hold: 1 if it has ended by this, 0 if it is still
-- there, and -1 if there was none.
local function replace(lock, request, leaseMs, owner, predecessor, rememberMs)
  local holds, before = unpack(redis.call('hmget', lock, owner, predecessor))
  if holds then
    return true, 1 -- an earlier copy of the request has run
  end
  if not before then
    -- The first copy of a request leaves no reply behind. That the hold is gone shows that it has run.
    local again = tonumber(rememberMs) > 0
    remember(request, 'refused', rememberMs)
    return false, again and 1 or -1
  end
  if redis.call('get', request) then
    return false, 0 -- the owner has taken the request back
  end
  if before ~= '1' or redis.call('pttl', lock) > tonumber(leaseMs) then
    remember(request, 'refused', rememberMs)
    return false, 0
  end
  redis.call('del', lock) -- before what needs memory, which a server without any refuses only as the first change of a script
  redis.call('hset', lock, owner, 1)
  redis.call('pexpire', lock, leaseMs)
  rememberTaken(request, leaseMs, rememberMs)
  return true, 1
end

-- The rest of `acquire.lua`: somebody has the lock or waits for it, or it is a copy.
local mode, held, wrongType = modeAndHolds(lock, owner)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered == 'taken' and held then
  return { 1, held }
end
if mode == 'read' and not remembered and settleReaders(lock, markers) then
  mode = false -- those who read are dead
end
if remembered or (mode and not held) then
  remember(request, 'refused', rememberMs)
  if preferWriter == '1' and not remembered then
    redis.call('zadd', writers, serverTimeMs() + tonumber(patienceMs), owner)
    redis.call('pexpire', writers, patienceMs)
  end
  return { 0, redis.call('pttl', lock), holderOf(lock) }
end

local count = countAfter(held or 0, tonumber(holds), tonumber(stale), rememberMs)
redis.call('hset', lock, 'mode', 'write', owner, count)
extend(lock, leaseMs)
if preferWriter == '1' then
  redis.call('zrem', writers, owner)
end
rememberTaken(request, leaseMs, rememberMs)
return { 1, count }

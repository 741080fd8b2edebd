-- The rest of `acquire.lua`: others have the lock or wait for it, the reader comes in again, or it is a copy.
local mode, held, wrongType = modeAndHolds(lock, owner, markers)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered == 'taken' and held then
  return { 1, held }
end

local mine = mode == 'write' and redis.call('hexists', lock, owner .. ':write') == 1
local blocked = mode == 'write' and not mine
local yields = preferWriter == '1' and not held and not mine and not blocked and writersWait(writers)
if remembered or blocked or yields then
  remember(request, 'refused', rememberMs)
  return { 0, blocked and redis.call('pttl', lock) or tonumber(patienceMs), holderOf(lock) }
end

local count = countAfter(held or 0, tonumber(holds), tonumber(stale), rememberMs)
for number = count + 1, held or 0 do
  redis.call('del', markerOf(markers, owner, number)) -- of holds that the reader has lost by its own clock
end
redis.call('hsetnx', lock, 'mode', 'read')
if count ~= held then
  redis.call('hset', lock, owner, count)
end
redis.call('set', markerOf(markers, owner, count), '1', 'px', leaseMs)
extend(lock, leaseMs)
rememberTaken(request, leaseMs, rememberMs)
return { 1, count }

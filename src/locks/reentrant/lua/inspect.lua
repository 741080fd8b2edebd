-- Read the owner of the lock.
--
-- Returns {milliseconds left, owner, hold count}; the time is -2 if it is free, and -1 if it never ends.

local lock = KEYS[1]

local leftMs = redis.call('pttl', lock)
if leftMs == -2 then
  return { leftMs, '', 0 }
end

local _, wrongType = holdsOf(lock, '')
if wrongType then
  return wrongType
end
local owner, holds = unpack(redis.call('hgetall', lock))
return { leftMs, owner, tonumber(holds) }

-- Make an owner's only hold last that long from now on, or several of them at least that long.
--
-- Where that is sooner than before, the waiters are notified, unless locks of its kind have no listeners: they sleep until the lock may
-- end, as far as they know.
-- Returns 1 if the owner holds the lock, otherwise 0.

local lock, channel = KEYS[1], KEYS[2]
local owner, leaseMs, publish = ARGV[1], ARGV[2], ARGV[3]

local held = tonumber(redis.call('hget', lock, owner))
if not held then
  return 0
end
local endsSooner = redis.call('pttl', lock) > tonumber(leaseMs)
if endsSooner and held > 1 then
  return 1
end
redis.call('pexpire', lock, leaseMs)
if endsSooner then
  tell(publish, channel, '0')
end
return 1

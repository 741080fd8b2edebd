-- Give back one hold, and with the last one the lock.
--
-- holds: how many the owner has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- Returns how many clients heard that it is free, if nothing but the last hold was to be given back. Otherwise {holds that remain, how many
-- clients heard}; {-1, 0} if the owner had none.

local lock, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, holds, stale, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- The ordinary way: the only hold, and no copy has come before.
if
  rememberMs == '0'
  and holds == '1'
  and redis.call('hlen', lock) == 1
  and redis.call('hget', lock, owner) == '1'
  and redis.call('exists', request) == 0
then
  redis.call('del', lock)
  local heard = publish == '' and 0 or redis.pcall(publish, channel, '0')
  return type(heard) == 'number' and heard or { 'REFUSED', channel, 0 }
end

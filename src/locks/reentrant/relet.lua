-- Make an owner's only hold last that long from now on, or several of them at least that long.
--
-- Returns 1 if the owner holds the lock, otherwise 0.

local lock = KEYS[1]
local owner, leaseMs = ARGV[1], ARGV[2]

local held = tonumber(redis.call('hget', lock, owner))
if not held then
  return 0
end
if held == 1 or redis.call('pttl', lock) < tonumber(leaseMs) then
  redis.call('pexpire', lock, leaseMs)
end
return 1

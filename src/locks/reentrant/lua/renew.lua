-- Extend the leases of many locks, each for the owner that holds it. A lease that is longer already stays as it is.
--
-- Returns, in order, 1 for every lock that its owner still holds and 0 for all others.

local locks = KEYS
local leaseMs, owners = ARGV[1], restOf(ARGV, 2)

local held = {}
for i, lock in ipairs(locks) do
  held[i] = redis.pcall('hexists', lock, owners[i]) == 1 and 1 or 0
  if held[i] == 1 and redis.call('pttl', lock) < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
end
return held

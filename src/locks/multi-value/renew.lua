-- Extend an owner's lease of all values. A lease that is longer already stays as it is.
--
-- Returns 1 if the owner holds all values, otherwise 0.

local group = KEYS[1]
local owner, values, leaseMs = ARGV[1], ARGV[2], ARGV[3]

local now = serverTimeMs()
if redis.call('type', group).ok ~= 'hash' or leastHolds(group, values, owner, now) == 0 then
  return 0
end
redis.call('hdel', group, '') -- there is none: Redis refuses no write for want of memory after one that needs none
for value in eachOf(values) do
  local _, expiresAt, count = holdOn(group, value, now)
  setHold(group, value, owner, math.max(expiresAt, now + leaseMs), count)
end
keepFor(group, leaseMs, now)
return 1

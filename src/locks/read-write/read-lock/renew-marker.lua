-- Make the marker of one hold of a reader last at least that long, unless it has ended.
--
-- Returns 1 if it lasts, otherwise 0.

local marker = KEYS[1]
local leaseMs = ARGV[1]

if redis.call('pttl', marker) < tonumber(leaseMs) then
  return redis.call('pexpire', marker, leaseMs)
end
return 1

-- Give back one hold, and with the last one the lock.
--
-- Returns {holds that remain, 1 if the heir has the lock, how many heard that it is free}; {-1, 0, 0} if the owner had none.

local lock, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, holds, leaseMs, heir, heirLeaseMs, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local remaining, inherited, heard =
  leave(lock, channel, request, owner, holds, leaseMs, heir, heirLeaseMs, publish, rememberMs)
if not remaining then
  return inherited
end
return { remaining, inherited and 1 or 0, heard }

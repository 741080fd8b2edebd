-- Give back one hold, and with the last one the lock.
--
-- holds: how many the owner has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- Returns {holds that remain, how many clients heard that it is free}; {-1, 0} if the owner had none.

local lock, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, holds, stale, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local remaining, heard = leave(lock, channel, request, owner, holds, stale, leaseMs, publish, rememberMs)
if not remaining then
  return heard
end
return { remaining, heard }

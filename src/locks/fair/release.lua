-- Give back one hold, and with the last one call the first in the queue.
--
-- holds: how many the owner has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- Returns the holds that remain; -1 if there were none.

local lock, request, queue, timeouts, heartbeats, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local owner, holds, stale, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local remaining, wrongType, now = leave(lock, channel, request, owner, holds, stale, leaseMs, '', rememberMs)
if not remaining then
  return wrongType
end
if remaining == 0 and now then
  dropDeadWaiters(queue, timeouts, heartbeats, serverTimeMs())
  callFirst(queue, channel, publish)
end
return remaining

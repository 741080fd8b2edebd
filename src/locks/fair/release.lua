-- Give back one hold, and with the last one call the first in the queue.
--
-- holds: how many the owner has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- Returns the holds that remain; -1 if there were none.

local lock, request, queue, timeouts, heartbeats, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local owner, holds, stale, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- The ordinary way: the only hold, nobody waits, and no copy has come before.
if
  rememberMs == '0'
  and holds == '1'
  and redis.call('hlen', lock) == 1
  and redis.call('hget', lock, owner) == '1'
  and redis.call('exists', request, queue, timeouts, heartbeats) == 0
then
  redis.call('del', lock)
  return 0
end

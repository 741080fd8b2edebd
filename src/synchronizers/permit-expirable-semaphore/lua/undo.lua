-- Give back what a request to acquire has taken, if it has, and let no copy of it take anything from now on.
--
-- request: that of the acquisition. undoneMs: how long a copy of it may still be under way.
-- Returns how many permits were released.

local semaphore, timeouts, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ids, publish, undoneMs = ARGV[1], ARGV[2], ARGV[3]

remember(request, 'undone', undoneMs)
local removed = 0
for _, id in ipairs(idsIn(ids)) do
  removed = removed + redis.call('zrem', timeouts, id)
end
if removed > 0 then
  local available = putBack(semaphore, removed)
  announce(channel, available, available, publish)
end
return removed

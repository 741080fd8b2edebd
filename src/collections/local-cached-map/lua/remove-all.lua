-- Remove some fields, and tell the local caches.
--
-- records, message: see tellCaches().
-- Returns how many of them there were.

local map, log = KEYS[1], KEYS[2]
local records, channel, message, publish, fields = ARGV[1], ARGV[2], ARGV[3], ARGV[4], restOf(ARGV, 5)

local removed = 0
inParts(fields, function(...)
  removed = removed + redis.call('hdel', map, ...)
end)
if removed > 0 then
  tellCaches(log, records, publish, channel, message)
end
return removed

-- Set the values of many fields, and tell the local caches.
--
-- entries: fields, each followed by its value. records, message: see tellCaches().
-- Returns in how many milliseconds the map expires: -1 for never.

local map, log = KEYS[1], KEYS[2]
local records, channel, message, publish, entries = ARGV[1], ARGV[2], ARGV[3], ARGV[4], restOf(ARGV, 5)

inParts(entries, function(...)
  redis.call('hset', map, ...)
end)
if #entries > 0 then
  tellCaches(log, records, publish, channel, message)
end
return redis.call('pttl', map)

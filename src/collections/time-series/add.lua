-- Add entries to a series.
--
-- entries: the timestamp of each, and its record. An entry that is there already keeps its time to live: it is a copy of this request that comes late.
-- Returns 1.

local series, ttl = KEYS[1], KEYS[2]
local ttlMs, entries = ARGV[1], restOf(ARGV, 2)

local endsAt = string.format('%.0f', serverTimeMs() + tonumber(ttlMs))
local ends = {}
for place = 1, #entries, 2 do
  ends[place], ends[place + 1] = endsAt, entries[place + 1]
end
inParts(entries, function(...)
  redis.call('zadd', series, ...)
end)
inParts(ends, function(...)
  redis.call('zadd', ttl, 'nx', ...)
end)
return 1

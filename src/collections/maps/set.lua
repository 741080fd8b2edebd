-- Replace a whole map; one without entries is removed.
--
-- Arguments are fields, each followed by its value. Returns 1.

local map = KEYS[1]
local entries = ARGV

redis.call('hlen', map) -- fails where the name belongs to another object
if redis.call('exists', map) == 1 then
  if #entries > 0 then
    redis.call('set', map, '', 'nx') -- changes nothing, and is refused where Redis has no memory for the new entries
  end
  redis.call('unlink', map)
end
inParts(entries, function(...)
  redis.call('hset', map, ...)
end)
return 1

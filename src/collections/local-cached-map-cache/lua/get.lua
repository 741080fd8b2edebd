-- Read an entry, which is used thereby.
--
-- Returns {its value, or nil, in how many milliseconds the map expires: -1 for never, -2 if it is not there, for how many milliseconds the entry may
-- be kept: -1 for any}.

local field = ARGV[1]

local value, idleMs = find(field)
if value then
  touch(field, idleMs)
end
return { value or false, redis.call('pttl', map), value and keepableMs(ttl, idle, field, idleMs, now) or -1 }

-- Read many entries, which are used thereby.
--
-- Returns {in how many milliseconds the map expires: -1 for never, -2 if it is not there, the value of each field, or nil, for how many milliseconds each
-- may be kept: -1 for any}.

local fields = ARGV

local values, times = {}, {}
for place, field in ipairs(fields) do
  local value, idleMs = find(field)
  if value then
    touch(field, idleMs)
  end
  values[place] = value or false
  times[place] = value and keepableMs(ttl, idle, field, idleMs, now) or -1
end
return { redis.call('pttl', map), values, times }

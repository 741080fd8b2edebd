-- Remove subscribers that were not renewed in time, and what nobody needs any more.
--
-- Returns how many subscribers there were.

local stream, timeouts = KEYS[1], KEYS[2]

local there = redis.call('type', stream).ok
if there ~= 'stream' and there ~= 'none' then
  return 0 -- another object has the name by now
end
local now = serverTimeMs()
local swept = sweep(stream, timeouts, now)
trim(stream, now, groupsOf(stream))
return swept

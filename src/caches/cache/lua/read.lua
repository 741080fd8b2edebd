-- Read an entry, and the times of tags along with it.
--
-- Returns {the record, milliseconds until it expires, the times}: -1 if never, -2 if there is none.

local entry, times = KEYS[1], restOf(KEYS, 2)

local record = redis.call('get', entry)
local leftMs = record and redis.call('pttl', entry) or -2
local found = {}
for i, time in ipairs(times) do
  found[i] = redis.call('get', time)
end
return { record, leftMs, found }

-- Read some entries. Those with an idle time are used thereby.
--
-- Returns {the cursor of the next entries, fields, each followed by its value, for how many milliseconds each entry may be kept: -1 for any, in how many
-- milliseconds the map expires: -1 for never, -2 if it is not there}.

local cursor, count = ARGV[1], ARGV[2]

local page = redis.call('hscan', map, cursor, 'count', count)
local read, entries, times = page[2], {}, {}
for place = 1, #read, 2 do
  local field = read[place]
  local value, idleMs = alive(field, read[place + 1])
  if value then
    refresh(field, idleMs)
    entries[#entries + 1] = field
    entries[#entries + 1] = value
    times[#times + 1] = keepableMs(ttl, idle, field, idleMs, now)
  end
end
return { page[1], entries, times, redis.call('pttl', map) }

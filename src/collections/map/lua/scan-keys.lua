-- Read some keys of a map, without their values.
--
-- Returns the cursor of the next keys, and the keys.

local map = KEYS[1]
local cursor, pattern, count = ARGV[1], ARGV[2], ARGV[3]

local page = redis.call('hscan', map, cursor, 'match', pattern, 'count', count)
local entries = page[2]
local keys = {}
for i = 1, #entries, 2 do
  keys[#keys + 1] = entries[i]
end
return { page[1], keys }

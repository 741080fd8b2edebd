-- Look for a value among some entries of a map.
--
-- Returns the cursor of the next entries, and a list that has a 1 if the value was found.

local map = KEYS[1]
local cursor, count, value = ARGV[1], ARGV[2], ARGV[3]

local page = redis.call('hscan', map, cursor, 'count', count)
local entries = page[2]
for i = 2, #entries, 2 do
  if entries[i] == value then
    return { page[1], { 1 } }
  end
end
return { page[1], {} }

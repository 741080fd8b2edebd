-- Look for a value among some entries. The one that has it is used thereby.
--
-- Returns the cursor of the next entries, and a list that has a 1 if the value was found.

local cursor, count, value = ARGV[1], ARGV[2], ARGV[3]

local page = redis.call('hscan', map, cursor, 'count', count)
local entries = page[2]
for place = 2, #entries, 2 do
  local field, record = entries[place - 1], entries[place]
  local found, idleMs = valueIn(map, record)
  if found == value and alive(field, record) then
    touch(field, idleMs)
    return { page[1], { 1 } }
  end
end
return { page[1], {} }

-- Read some entries. Those with an idle time are used thereby.
--
-- form: 'keys' for the fields alone. Returns the cursor of the next entries, and fields, each followed by its record.

local cursor, pattern, count, form = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local page = redis.call('hscan', map, cursor, 'match', pattern, 'count', count)
local entries, found = page[2], {}
for place = 1, #entries, 2 do
  local field, record = entries[place], entries[place + 1]
  local value, idleMs = alive(field, record)
  if value then
    found[#found + 1] = field
    if form ~= 'keys' then
      found[#found + 1] = record
    end
    refresh(field, idleMs)
  end
end
return { page[1], found }

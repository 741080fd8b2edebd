-- Add all values, if none of them is there.
--
-- entries: for each value after how many milliseconds it ends, 0 for never, and the value. Returns 1 if they were added, otherwise 0.

local set = KEYS[1]
local entries = ARGV

for place = 1, #entries, 2 do
  if endOf(set, entries[place + 1]) then
    return 0
  end
end
for place = 1, #entries, 2 do
  put(set, entries[place + 1], endAfter(entries[place]))
end
return 1

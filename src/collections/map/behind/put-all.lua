-- Set the values of fields, and note what is to be written of them. In `entries` fields and values alternate.
--
-- Returns how many there were.

local map, states, due, claimed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local delay, entries = ARGV[1], restOf(ARGV, 2)

for at = 1, #entries, 2 do
  local field, value = entries[at], entries[at + 1]
  redis.call('hset', map, field, value)
  note(states, due, claimed, delay, field, '1' .. value)
end
return #entries / 2

-- Set the values of many fields.
--
-- ttlMs, idleMs: when they end, each 0 for never. The other arguments are fields, each followed by its value.
-- Returns 1.

local publish, ttlMs, idleMs, entries = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)
publishing = publish

for place = 1, #entries, 2 do
  local field, value = entries[place], entries[place + 1]
  local before = find(field)
  store(field, value, tonumber(ttlMs), tonumber(idleMs), before)
end
return 1

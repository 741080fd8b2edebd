-- Set the values of many fields.
--
-- ttlMs, idleMs: when they end, each 0 for never. The other arguments are fields, each followed by its value.
-- Returns how many there were.

local ttlMs, idleMs = tonumber(ARGV[2]), tonumber(ARGV[3])

for place = 4, #ARGV, 2 do
  local field, value = ARGV[place], ARGV[place + 1]
  local before = find(field)
  store(field, value, ttlMs, idleMs, before)
end
return (#ARGV - 3) / 2

-- Remove fields, and note that those are to be deleted that had a value.
--
-- Returns how many had one.

local map, states, due, claimed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local delay, fields = ARGV[1], restOf(ARGV, 2)

local removed = 0
for _, field in ipairs(fields) do
  if redis.call('hdel', map, field) == 1 then
    note(states, due, claimed, delay, field, '0')
    removed = removed + 1
  end
end
return removed

-- Remove fields, and note that those are to be deleted that had a value, or with `any` all of them.
--
-- Returns how many had one.

local map, states, due, claimed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local delay, any, fields = ARGV[1], ARGV[2], restOf(ARGV, 3)

local removed = 0
for _, field in ipairs(fields) do
  local had = redis.call('hdel', map, field)
  if had == 1 or any == '1' then
    note(states, due, claimed, delay, field, '0')
  end
  removed = removed + had
end
return removed

-- Set the values of many fields, if each of them has a value, or none of them.
--
-- exist: 1 if each has to have one, 0 if none may. ttlMs: how long they last, 0 for as long as they are not removed. The other arguments are fields,
-- each followed by its value. Returns 1 if they were set, otherwise 0.

local map = KEYS[1]
local exist, ttlMs, entries = ARGV[1], ARGV[2], restOf(ARGV, 3)

for place = 1, #entries, 2 do
  if redis.call('hexists', map, entries[place]) ~= tonumber(exist) then
    return 0
  end
end
setAll(map, ttlMs, entries)
return 1

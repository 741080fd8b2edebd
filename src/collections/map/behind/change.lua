-- Set or remove the value of a field if the present one is as expected, and note what is to be written of it.
--
-- Returns 1 if it was changed, otherwise 0.

local map, states, due, claimed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local field, expects, expected, sets, value, delay = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local before = redis.call('hget', map, field)
if expects == '1' and before ~= expected or expects == '0' and before then
  return 0
end
if sets == '1' then
  redis.call('hset', map, field, value)
else
  redis.call('hdel', map, field)
end
note(states, due, claimed, delay, field, sets .. value)
return 1

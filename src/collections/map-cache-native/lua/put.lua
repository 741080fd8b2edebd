-- Set the value of a field, and how long it lasts.
--
-- condition: 'absent' if it may have none, 'present' if it has to have one, 'equal' for the expected one; empty for any.
-- ttlMs: more than 0. silent: whether the value before is not wanted, if this is 1.
-- Returns the value before, or nil; if that is not wanted, 1 if the value was set, and without a condition, if it is new; otherwise 0.

local map = KEYS[1]
local condition, expected, ttlMs, silent, field, value = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

redis.call('hpttl', map, 'fields', 1, field) -- fails, before anything is written, where the server knows no ends of fields
local before = redis.call('hget', map, field)
local isMet = condition == ''
  or condition == 'absent' and not before
  or condition == 'present' and before
  or condition == 'equal' and before == expected
if isMet then
  redis.call('hset', map, field, value)
  redis.call('hpexpire', map, ttlMs, 'fields', 1, field)
end

if silent ~= '1' then
  return before
elseif condition == '' then
  return before and 0 or 1
end
return isMet and 1 or 0

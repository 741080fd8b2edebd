-- Set the value of a field, and tell the local caches.
--
-- condition: 'absent' for a field that has no value yet, 'present' for one that has, 'equal' for one whose value is `expected`; empty for any.
-- isReturned: whether the value before is returned, if this is 1. records, message: see tellCaches().
-- Returns {1 if it was set, otherwise 0; 1 if the field is new; the value before, or nil; in how many milliseconds the map expires}.

local map, log = KEYS[1], KEYS[2]
local field, value, condition, expected, isReturned, records, channel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]

local before = false
if condition ~= '' or isReturned == '1' then
  before = redis.call('hget', map, field)
end

local isMet = condition == ''
  or condition == 'absent' and not before
  or condition == 'present' and before
  or condition == 'equal' and before == expected
local isNew = 0
if isMet then
  isNew = redis.call('hset', map, field, value)
  tellCaches(log, records, publish, channel, message)
end
return { isMet and 1 or 0, isNew, isReturned == '1' and before, redis.call('pttl', map) }

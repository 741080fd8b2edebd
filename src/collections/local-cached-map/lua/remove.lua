-- Remove a field, and tell the local caches.
--
-- isCompared: whether its value has to be `expected`, if this is 1. isReturned: whether the value that it had is returned, if this is 1.
-- records, message: see tellCaches().
-- Returns {1 if it was removed, otherwise 0; the value that it had, or nil}.

local map, log = KEYS[1], KEYS[2]
local field, isCompared, expected, isReturned, records, channel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local before = redis.call('hget', map, field)
if not before or isCompared == '1' and before ~= expected then
  return { 0, false }
end
redis.call('hdel', map, field)
tellCaches(log, records, publish, channel, message)
return { 1, isReturned == '1' and before }

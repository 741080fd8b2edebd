-- Add to the number that a field has, and tell the local caches.
--
-- records, message: see tellCaches().
-- Returns {the sum, in how many milliseconds the map expires: -1 for never}, or the error of Redis.

local map, log = KEYS[1], KEYS[2]
local field, delta, records, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local sum = redis.pcall('hincrbyfloat', map, field, delta)
if type(sum) == 'table' then
  return sum
end
tellCaches(log, records, publish, channel, message)
return { sum, redis.call('pttl', map) }

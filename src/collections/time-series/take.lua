-- Remove entries at one end of a range of timestamps.
--
-- command: 'zrangebyscore', or 'zrevrangebyscore' for the highest timestamps first; start, stop: its bounds. count: how many entries are removed.
-- most: how many are touched.
-- Returns records with their timestamps; nothing if so many entries had ended that none was removed but these.

local series, ttl = KEYS[1], KEYS[2]
local command, start, stop, count, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local swept = sweep(series, ttl, most)
if swept > 0 and swept + count > tonumber(most) then
  return false
end
local taken = redis.call(command, series, start, stop, 'withscores', 'limit', 0, count)
for place = 1, #taken, 2 do
  redis.call('zrem', series, taken[place])
  redis.call('zrem', ttl, taken[place])
end
return taken

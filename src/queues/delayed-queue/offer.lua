-- Have a record wait until it is due, by the clock of the server.
--
-- channel: where its due time is published, if it is the first to be due. Returns 1.

local records, dueTimes = KEYS[1], KEYS[2]
local record, delayMs, channel, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

redis.call('llen', records) -- refuses what is no list, before anything is added
local due = string.format('%.0f', serverTimeMs() + tonumber(delayMs))
redis.call('zadd', dueTimes, due, record)
redis.call('rpush', records, record)
if redis.call('zrange', dueTimes, 0, 0)[1] == record then
  wakeWaiters(publish, channel, due)
end
return 1

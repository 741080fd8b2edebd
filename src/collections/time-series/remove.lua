-- Remove entries whose time to live has ended, and then others, at one end of a range of timestamps.
--
-- command: 'zrangebyscore', or 'zrevrangebyscore' for the highest timestamps first; start, stop: its bounds. count: how many others are removed.
-- most: how many of those that have ended are removed; if more may be left of them, no others are. silent: '1' if they are not wanted.
-- Returns {how many had ended, how many others there were, their records with their timestamps}.

local series, ttl = KEYS[1], KEYS[2]
local command, start, stop, count, most, silent = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local function remove(records)
  if #records > 0 then
    redis.call('zrem', series, unpack(records))
    redis.call('zrem', ttl, unpack(records))
  end
  return #records
end

local now = string.format('%.0f', serverTimeMs())
local ended = remove(redis.call('zrangebyscore', ttl, '-inf', now, 'limit', 0, most))
if ended == tonumber(most) then
  count = 0
end
local taken = redis.call(command, series, start, stop, 'withscores', 'limit', 0, count)
local records = {}
for place = 1, #taken, 2 do
  records[#records + 1] = taken[place]
end
return { ended, remove(records), silent == '1' and {} or taken }

-- Remove the records that were offered first.
--
-- Returns them in their order.

local records, dueTimes = KEYS[1], KEYS[2]
local count = ARGV[1]

redis.call('zcard', dueTimes) -- refuses what is no sorted set, before anything is removed
local polled = {}
for place = 1, tonumber(count) do
  local record = redis.call('lpop', records)
  if not record then
    break
  end
  redis.call('zrem', dueTimes, record)
  polled[place] = record
end
return polled

-- Read the first messages that are ready, and leave them there.
--
-- Returns for each its id, how often it has failed, its record.

local count = ARGV[1]

redis.call('hlen', records) -- refuses what is no queue
local answer = {}
for _, id in ipairs(redis.call('zrange', ready, 0, count - 1)) do
  local record = redis.call('hget', records, id)
  if record then
    answer[#answer + 1] = id
    answer[#answer + 1] = tonumber(redis.call('hget', facts, 'f' .. id) or 0)
    answer[#answer + 1] = record
  end
end
return answer

-- Read dead letters, the oldest first.
--
-- Returns for each its id, how often it has failed, its record, when it has failed last, why.

local offset, count = ARGV[1], ARGV[2]

redis.call('hlen', records) -- refuses what is no queue
local letters = redis.call('zrange', dead, offset, offset + count - 1, 'withscores')
local answer = {}
for i = 1, #letters, 2 do
  local id = letters[i]
  local record = redis.call('hget', records, id)
  if record then
    local at = #answer
    answer[at + 1], answer[at + 2], answer[at + 3] = id, tonumber(redis.call('hget', facts, 'f' .. id) or 0), record
    answer[at + 4], answer[at + 5] = letters[i + 1], redis.call('hget', facts, 'r' .. id) or ''
  end
end
return answer

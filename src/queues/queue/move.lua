-- Move elements from the head of a queue to the tail of another, or of the same one, where each is moved once.
--
-- `exactly` is 1 if nothing is moved where there are fewer than `count`. Returns the elements that were moved.

local queues = KEYS
local count, exactly = ARGV[1], ARGV[2]

local queue, target = queues[1], queues[2]
redis.call('llen', target) -- refuses what is no list, before anything is removed
local most, size = tonumber(count), redis.call('llen', queue)
if exactly == '1' and size < most then
  return {}
end
local values = {}
for place = 1, math.min(most, size) do
  local value = redis.call('lindex', queue, 0)
  redis.call('rpush', target, value) -- first, so that a queue that goes around is never gone, and keeps its time to live
  redis.call('lpop', queue)
  values[place] = value
end
return values

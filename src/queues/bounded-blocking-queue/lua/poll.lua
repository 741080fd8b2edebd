-- Remove elements at one end of the first of several queues that has any, and give their places back to that queue.
--
-- queues: for each of them its elements, its places, and the channel of those who wait for room. `pop` is the command that removes one: lpop or rpop.
-- Returns the place of that queue among them, counted from 0, and the elements in the order in which they were removed; nothing if all are empty.

local queues = KEYS
local pop, count, publish = ARGV[1], ARGV[2], ARGV[3]

for first = 1, #queues, 3 do
  local queue, places, channel = queues[first], queues[first + 1], queues[first + 2]
  local most = math.min(tonumber(count), redis.call('llen', queue))
  if most > 0 then
    local left, wrongType = numberAt(places)
    if wrongType then
      return wrongType
    end
    local values = {}
    for index = 1, most do
      values[index] = redis.call(pop, queue)
    end
    giveBack(places, channel, left, most, publish)
    return { (first - 1) / 3, values }
  end
end
return false

-- Put elements back at the end of a queue from which they were removed. They take their places again, even if others have them by now.
--
-- `push` is the command that adds there: lpush or rpush. `values` are in the order in which they were removed. Returns how many there are.

local queue, places = KEYS[1], KEYS[2]
local push, values = ARGV[1], restOf(ARGV, 2)

local before = redis.call('llen', queue)
local left, wrongType = numberAt(places)
if wrongType then
  return wrongType
end
for index = #values, 1, -1 do
  redis.call(push, queue, values[index])
end
occupy(queue, places, left, before, #values)
return #values

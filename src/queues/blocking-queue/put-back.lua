-- Put elements back at the end of a queue from which they were removed.
--
-- `push` is the command that adds there: lpush or rpush. `values` are in the order in which they were removed. Returns how many there are.

local queue = KEYS[1]
local push, values = ARGV[1], restOf(ARGV, 2)

for place = #values, 1, -1 do
  redis.call(push, queue, values[place])
end
return #values

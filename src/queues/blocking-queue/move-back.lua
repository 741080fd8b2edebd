-- Put elements back that were moved to another queue, as far as they are still among the last thousand at that end of it.
--
-- `push` is the command that adds at the end of the queue from which they were removed: lpush or rpush. `from` is 1 if they were added at the head
-- of the other queue, and -1 if at its tail. `values` are in the order in which they were moved. Returns how many were put back.

local queue, target = KEYS[1], KEYS[2]
local push, from, values = ARGV[1], ARGV[2], restOf(ARGV, 3)

redis.call('llen', queue) -- refuses what is no list, before anything is removed
local count = 0
for place = #values, 1, -1 do
  if redis.call('lpos', target, values[place], 'rank', from, 'maxlen', 1000) then
    redis.call('lrem', target, from, values[place])
    redis.call(push, queue, values[place])
    count = count + 1
  end
end
return count

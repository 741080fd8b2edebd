-- Put elements back that were moved to another queue, as far as they are still among the last thousand at that end of it. They take their places again,
-- and give back those of the other queue.
--
-- `push` is the command that adds at the end of the queue from which they were removed: lpush or rpush. `from` is 1 if they were added at the head
-- of the other queue, and -1 if at its tail. `values` are in the order in which they were moved. Returns how many were put back.

local queue, places, target, targetPlaces, targetChannel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local push, from, publish, values = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

local before = redis.call('llen', queue)
local left, wrongType = numberAt(places)
local targetLeft, wrongTarget = numberAt(targetPlaces)
if wrongType or wrongTarget then
  return wrongType or wrongTarget
end
local count = 0
for index = #values, 1, -1 do
  if redis.call('lpos', target, values[index], 'rank', from, 'maxlen', 1000) then
    redis.call('lrem', target, from, values[index])
    redis.call(push, queue, values[index])
    count = count + 1
  end
end
if queue ~= target then
  giveBack(targetPlaces, targetChannel, targetLeft, count, publish)
  occupy(queue, places, left, before, count)
end
return count

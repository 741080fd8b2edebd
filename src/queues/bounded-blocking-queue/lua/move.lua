-- Move elements from one end of a queue to an end of another, or of the same one, where each is moved once. They give their places back, and take
-- those of the other queue, if that has a capacity, even if it is full.
--
-- `pop` is the command that removes one, and `push` the one that adds it. `exactly` is 1 if nothing is moved where there are fewer than `count`.
-- Returns the elements that were moved.

local queue, places, channel, target, targetPlaces = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local pop, push, count, exactly, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local before = redis.call('llen', target) -- refuses what is no list, before anything is removed
local most, size = tonumber(count), redis.call('llen', queue)
local left, wrongType = numberAt(places)
local targetLeft, wrongTarget = numberAt(targetPlaces)
if wrongType or wrongTarget then
  return wrongType or wrongTarget
end
if exactly == '1' and size < most then
  return {}
end
local values = {}
for index = 1, math.min(most, size) do
  local value = redis.call('lindex', queue, pop == 'lpop' and 0 or -1)
  redis.call(push, target, value) -- first, so that a queue that goes around is never gone, and keeps its time to live
  redis.call(pop, queue)
  values[index] = value
end
if queue ~= target then
  giveBack(places, channel, left, #values, publish)
  occupy(target, targetPlaces, targetLeft, before, #values)
end
return values

-- Add values at the tail of a bounded queue, all of them or none.
--
-- Returns {1 if they were added or 0 if there was no room for all, the capacity}; nothing if no capacity was set, and then nothing was added.

local queue, places = KEYS[1], KEYS[2]
local values = ARGV

local before = redis.call('llen', queue) -- refuses what is no list
local left, wrongType = numberAt(places)
if not left then
  return wrongType
end
if left < #values then
  return { 0, left + before }
end
redis.call('rpush', queue, unpack(values))
occupy(queue, places, left, before, #values)
return { 1, left + before }

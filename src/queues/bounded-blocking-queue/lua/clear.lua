-- Remove all elements, and give their places back. The capacity stays.
--
-- Returns 1 if there were any, otherwise 0.

local queue, places, channel = KEYS[1], KEYS[2], KEYS[3]
local publish = ARGV[1]

local size = redis.call('llen', queue) -- refuses what is no list
local left, wrongType = numberAt(places)
if wrongType then
  return wrongType
end
redis.call('del', queue)
giveBack(places, channel, left, size, publish)
return size > 0 and 1 or 0

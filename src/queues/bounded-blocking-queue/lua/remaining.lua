-- Read how many more elements a bounded queue has room for.
--
-- Returns that, which may be less than none; nothing if no capacity was set.

local queue, places = KEYS[1], KEYS[2]

redis.call('llen', queue) -- refuses what is no list
local left, wrongType = numberAt(places)
return left or wrongType

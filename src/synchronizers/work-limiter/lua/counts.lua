-- Read how many places are taken, and how many queues wait.
--
-- Returns {places, queues}.

local places, ends = KEYS[1], KEYS[2]

local after = '(' .. string.format('%.0f', serverTimeMs())
return { redis.call('zcount', places, after, '+inf'), redis.call('zcount', ends, after, '+inf') }

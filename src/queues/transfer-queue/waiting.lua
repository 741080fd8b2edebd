-- Count the consumers that wait.
--
-- Returns how many there are.

local queue, consumers = KEYS[1], KEYS[2]

redis.call('llen', queue) -- refuses what is no queue
return countWaiting(consumers)

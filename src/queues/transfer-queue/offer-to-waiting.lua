-- Add an element if more consumers wait than there are elements for them.
--
-- Returns whether it was added (1).

local queue, consumers = KEYS[1], KEYS[2]
local record = ARGV[1]

if redis.call('llen', queue) >= countWaiting(consumers) then
  return 0
end
redis.call('rpush', queue, record)
return 1

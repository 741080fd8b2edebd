-- End the waiting of a queue.
--
-- Returns 1 if it was waiting, otherwise 0.

local waiting, ends, channel = KEYS[1], KEYS[2], KEYS[3]
local waiter, publish = ARGV[1], ARGV[2]

local left = redis.call('zrem', waiting, waiter)
redis.call('zrem', ends, waiter)
local next = left == 1 and firstWaiter(waiting, ends, serverTimeMs(), nil)
if next then
  tell(publish, channel, next .. ' 0')
end
return left

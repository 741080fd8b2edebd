-- End the waiting of a queue.
--
-- Returns 1 if it was waiting, otherwise 0.

local waiting, ends, channel = KEYS[1], KEYS[2], KEYS[3]
local waiter, publish = ARGV[1], ARGV[2]

local left = redis.call('zrem', waiting, waiter)
redis.call('zrem', ends, waiter)
if left == 1 then
  local nowMs = serverTimeMs()
  local next, _, endsAt = firstWaiter(waiting, ends, nowMs, nil)
  if next then
    callFirst(publish, channel, ends, next, endsAt, nowMs, 0)
  end
end
return left

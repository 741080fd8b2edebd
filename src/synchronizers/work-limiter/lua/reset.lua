-- Make the whole burst available, and notify the queue that is the first.
--
-- Returns 1 if anything was used, otherwise 0.

local rate, waiting, ends, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local publish = ARGV[1]

local was = redis.call('unlink', rate)
local nowMs = serverTimeMs()
local next, _, endsAt = firstWaiter(waiting, ends, nowMs, nil)
if next then
  callFirst(publish, channel, ends, next, endsAt, nowMs, 0)
end
return was

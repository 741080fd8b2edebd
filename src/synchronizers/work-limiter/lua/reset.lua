-- Make the whole burst available, and notify the queue that is the first. Cells of places that are taken already are not given back any more.
--
-- aheadMs: for how long ahead they may have been reserved. Returns 1 if anything was used, otherwise 0.

local places, rate, resets, waiting, ends, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local aheadMs, publish = ARGV[1], ARGV[2]

local was = redis.call('unlink', rate)
local nowMs = serverTimeMs()
local last = redis.call('zrange', places, -1, -1, 'withscores')
if last[2] and tonumber(last[2]) > nowMs then
  redis.call('set', resets, text(nowMs + aheadMs), 'px', text(last[2] - nowMs + 1000))
end
local next, _, endsAt = firstWaiter(waiting, ends, nowMs, nil)
if next then
  callFirst(publish, channel, ends, next, endsAt, nowMs, 0)
end
return was

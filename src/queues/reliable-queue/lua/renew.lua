-- Extend the leases of many deliveries. A lease that is longer already stays as it is, and so does that of a message that was cancelled.
--
-- keys: for each delivery the leases and the facts of its queue.
-- Returns, in order, 1 for each delivery that is held and 0 for the others; for one whose message was cancelled, how long it
-- lasts, and why.

local keys = KEYS
local leaseMs, deliveries = ARGV[1], restOf(ARGV, 2)

local now = serverTimeMs()
local untilMs = now + leaseMs
local held = {}
for i, delivery in ipairs(deliveries) do
  local own, facts = keys[2 * i - 1], keys[2 * i]
  local ends = redis.pcall('zscore', own, delivery)
  held[i] = type(ends) == 'string' and tonumber(ends) > now and 1 or 0
  local cancelled = held[i] == 1 and redis.pcall('hget', facts, 'c' .. string.sub(delivery, 1, 16))
  if type(cancelled) == 'string' then
    held[i] = string.format('%.0f ', ends - now) .. cancelled
  elseif held[i] == 1 and tonumber(ends) < untilMs then
    redis.call('zrem', own, '') -- there is none: Redis refuses no write for want of memory after one that needs none
    redis.call('zadd', own, untilMs, delivery)
  end
end
return held

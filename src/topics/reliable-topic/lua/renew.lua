-- Renew subscribers of topics in one slot.
--
-- leaseMs: how long they count as alive from now on. members: one of each key.
-- Returns for each of them 1 if it was there, otherwise 0.

local timeouts = KEYS
local leaseMs, members = ARGV[1], restOf(ARGV, 2)

local deadline = string.format('%.0f', serverTimeMs() + leaseMs)
local renewed = {}
for at, key in ipairs(timeouts) do
  renewed[at] = 0
  if redis.call('zscore', key, members[at]) then
    redis.call('zadd', key, deadline, members[at])
    renewed[at] = 1
  end
end
return renewed

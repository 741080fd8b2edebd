-- Have writers who wait count as living for some time more, each at the lock beside it.
--
-- Returns, in order, 1 for every writer that still counts as waiting and 0 for the others.

local waiting = KEYS
local patienceMs, owners = ARGV[1], restOf(ARGV, 2)

local known = {}
for i, writers in ipairs(waiting) do
  known[i] = redis.call('zscore', writers, owners[i]) and 1 or 0
  if known[i] == 1 then
    redis.call('zadd', writers, serverTimeMs() + tonumber(patienceMs), owners[i])
    redis.call('pexpire', writers, patienceMs)
  end
end
return known

-- Extend the leases of many marks. A lease that is longer already stays as it is.
--
-- Returns, in order, 1 for every mark that is still its run's own and 0 for all others.

local marks = KEYS
local leaseMs, tokens = ARGV[1], restOf(ARGV, 2)

local own = {}
for i, mark in ipairs(marks) do
  own[i] = redis.pcall('get', mark) == tokens[i] and 1 or 0
  if own[i] == 1 and redis.call('pttl', mark) < tonumber(leaseMs) then
    redis.call('pexpire', mark, leaseMs)
  end
end
return own

-- Extend the lease of the mark of a load.
--
-- Returns 1 if the mark was still there, otherwise 0.

local mark = KEYS[1]
local token, leaseMs = ARGV[1], ARGV[2]

if redis.call('get', mark) ~= token then
  return 0
end
redis.call('pexpire', mark, leaseMs)
return 1

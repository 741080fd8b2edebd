-- Make the hash of a read-write lock last at least that long for one of its readers, whose markers may be at another node.
--
-- Returns how many holds the reader has; 0 if there are none.

local lock = KEYS[1]
local leaseMs, owner = ARGV[1], ARGV[2]

local holds = redis.pcall('hget', lock, owner)
if type(holds) ~= 'string' then
  return 0
end
if redis.call('pttl', lock) < tonumber(leaseMs) then
  redis.call('pexpire', lock, leaseMs)
end
return tonumber(holds)

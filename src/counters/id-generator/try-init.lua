-- Set with which id a generator begins and how many ids its blocks have, unless that is set.
--
-- Each of the two is set by itself, as in Redisson. Returns 1 if the size was set, otherwise 0.

local generator, allocation = KEYS[1], KEYS[2]
local value, size = ARGV[1], ARGV[2]

local wrongType = otherKind(generator, 'number') or otherKind(allocation, 'number')
if wrongType then
  return wrongType
end
redis.call('setnx', generator, value)
return redis.call('setnx', allocation, size)

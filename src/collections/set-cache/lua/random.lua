-- Read random values, once none is left that has ended.
--
-- Returns the values; nil if more may have ended.

local set = KEYS[1]
local publish, count = ARGV[1], ARGV[2]
publishing = publish

if not sweepAll({ set }) then
  return false
end
return redis.call('zrandmember', set, count)

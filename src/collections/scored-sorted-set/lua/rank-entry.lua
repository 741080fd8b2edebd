-- Find the rank and the score of a value.
--
-- `rank` is the command that finds a rank: zrank or zrevrank. Returns both; nil if the value is not there.

local set = KEYS[1]
local rank, value = ARGV[1], ARGV[2]

local found = redis.call(rank, set, value)
if not found then
  return false
end
return { found, redis.call('zscore', set, value) }

-- Add to the score of a value.
--
-- `rank` is the command that finds a rank: zrank or zrevrank. Returns the rank of the value.

local set = KEYS[1]
local rank, delta, value = ARGV[1], ARGV[2], ARGV[3]

redis.call('zincrby', set, delta, value)
return redis.call(rank, set, value)

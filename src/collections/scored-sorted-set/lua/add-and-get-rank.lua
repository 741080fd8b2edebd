-- Give a value a score.
--
-- `rank` is the command that finds a rank: zrank or zrevrank. Returns the rank of the value.

local set = KEYS[1]
local rank, score, value = ARGV[1], ARGV[2], ARGV[3]

redis.call('zadd', set, score, value)
return redis.call(rank, set, value)

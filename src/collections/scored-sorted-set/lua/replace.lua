-- Give the score of one value to another, in its place.
--
-- Returns 1 if the value was there, otherwise 0.

local set = KEYS[1]
local value, replacement = ARGV[1], ARGV[2]

local score = redis.call('zscore', set, value)
if not score then
  return 0
end
redis.call('zadd', set, score, replacement)
if value ~= replacement then
  redis.call('zrem', set, value)
end
return 1

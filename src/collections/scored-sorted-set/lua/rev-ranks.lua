-- Find the ranks of many values from behind.
--
-- Returns a rank for each of them; nil for one that is not there.

local set = KEYS[1]
local values = ARGV

local ranks = {}
for i, value in ipairs(values) do
  ranks[i] = redis.call('zrevrank', set, value)
end
return ranks

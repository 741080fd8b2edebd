-- Give many values their scores.
--
-- Arguments are scores, each followed by its value. Returns the ranks of the values from behind.

local set = KEYS[1]
local entries = ARGV

inParts(entries, function(...)
  redis.call('zadd', set, ...)
end)
local ranks = {}
for i = 2, #entries, 2 do
  ranks[#ranks + 1] = redis.call('zrevrank', set, entries[i])
end
return ranks

-- Give many values their scores.
--
-- Arguments are scores, each followed by its value. Returns the ranks of the values from behind.

local set = KEYS[1]
local entries = ARGV

local MOST = 5000 -- even, and not more than a call can be given

for first = 1, #entries, MOST do
  redis.call('zadd', set, unpack(entries, first, math.min(first + MOST - 1, #entries)))
end
local ranks = {}
for i = 2, #entries, 2 do
  ranks[#ranks + 1] = redis.call('zrevrank', set, entries[i])
end
return ranks

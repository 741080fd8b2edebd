-- Have the bits that are in exactly one of several bit sets.
--
-- union, twice, both: keys that there are only while the script runs: the bits that were found, those that were found again, and those of them that
-- are in one more bit set. sources: the bit set itself, and the others.
-- Returns how many bytes there are.

local target, union, twice, both, sources = KEYS[1], KEYS[2], KEYS[3], KEYS[4], restOf(KEYS, 5)

for _, source in ipairs(shortestFirst(sources)) do
  redis.call('bitop', 'and', both, union, source)
  redis.call('bitop', 'or', twice, twice, both)
  redis.call('bitop', 'or', union, union, source)
end
local length = redis.call('bitop', 'xor', target, union, twice)
redis.call('del', union, twice, both)
return length

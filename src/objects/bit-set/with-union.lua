-- Combine a bit set with the union of others.
--
-- union: a key that there is only while the script runs. operations: by which the bit set is combined with the union, one after the other.
-- Returns how many bytes there are.

local target, union, sources = KEYS[1], KEYS[2], restOf(KEYS, 3)
local operations = ARGV

redis.call('strlen', target) -- refuses an object of another kind before anything is written
combineAll('or', union, union, sources)
local length
for _, operation in ipairs(operations) do
  length = redis.call('bitop', operation, target, target, union)
end
redis.call('del', union)
return length

-- Combine a bit set with others by AND, OR or XOR.
--
-- partial: a key that there is only while the script runs. sources: the bit set itself, and the others.
-- Returns how many bytes there are.

local target, partial, sources = KEYS[1], KEYS[2], restOf(KEYS, 3)
local operation = ARGV[1]

local length = combineAll(operation, target, partial, sources)
redis.call('del', partial)
return length

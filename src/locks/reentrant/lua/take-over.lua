-- Take the lock over from its owner, which releases its last hold by that.
--
-- Returns {1, hold count, 1} when taken. Otherwise {0, milliseconds left, 0 if the owner before still holds it or -1 if it did not}.

local lock, request = KEYS[1], KEYS[2]
local leaseMs, owner, predecessor, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local taken, released = replace(lock, request, leaseMs, owner, predecessor, rememberMs)
return { taken and 1 or 0, taken and 1 or redis.call('pttl', lock), released }

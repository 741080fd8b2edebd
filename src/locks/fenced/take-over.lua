-- Take the lock over from its owner, which releases its last hold by that. The new owner gets a new token.
--
-- Returns {1, hold count, 1, token} when taken. Otherwise {0, milliseconds left, 0 if the owner before still holds it or -1 if it did
-- not}.

local lock, request, token = KEYS[1], KEYS[2], KEYS[3]
local leaseMs, owner, predecessor, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local isCopy = redis.call('hexists', lock, owner) == 1
local taken, released = replace(lock, request, leaseMs, owner, predecessor, rememberMs)
if not taken then
  return { 0, redis.call('pttl', lock), released }
end
return { 1, 1, released, tokenFor(token, not isCopy) }

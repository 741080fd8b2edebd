-- Take the lock for one more hold, or report how long the present holder still has.
--
-- Whoever comes in from outside gets a token that is larger than all before; coming in once more keeps it.
-- Returns {1, hold count, token} when taken, otherwise {0, milliseconds left, 0}.

local lock, request, token = KEYS[1], KEYS[2], KEYS[3]
local leaseMs, owner, holds, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local held, cameIn, wrongType = take(lock, request, leaseMs, owner, holds, rememberMs)
if wrongType then
  return wrongType
end
if not held then
  return { 0, cameIn, 0 }
end
return { 1, held, tokenFor(token, cameIn) }

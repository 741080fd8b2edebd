-- Take the lock for one more hold, or report how long the present holder still has.
--
-- The lock is a hash of owner -> hold count, so the same owner may enter again.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left}.

local lock, request = KEYS[1], KEYS[2]
local leaseMs, owner, holds, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local held, leftMs, wrongType = take(lock, request, leaseMs, owner, holds, rememberMs)
if wrongType then
  return wrongType
end
if not held then
  return { 0, leftMs }
end
return { 1, held }

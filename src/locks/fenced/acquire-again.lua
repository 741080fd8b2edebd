-- The rest of `acquire.lua`: another owner has the lock, this one comes in again, or it is a copy.
local held, cameIn, wrongType = take(lock, request, leaseMs, owner, holds, stale, rememberMs)
if wrongType then
  return wrongType
end
if not held then
  return { 0, cameIn, redis.call('hkeys', lock)[1] }
end
return { 1, held, tokenFor(token, cameIn or mints == '1') }

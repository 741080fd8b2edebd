-- The rest of `acquire.lua`: the owner comes in again, it is a copy, or the name belongs to something else.
local held, leftMs, wrongType = take(lock, request, leaseMs, owner, holds, stale, rememberMs)
if wrongType then
  return wrongType
end
if not held then
  return { 0, leftMs, redis.call('hkeys', lock)[1] }
end
return { 1, held }

-- The rest of `release.lua`: more holds than one, a copy, or an owner that has none.
local remaining, heard = leave(lock, channel, request, owner, holds, stale, leaseMs, publish, rememberMs)
if not remaining then
  return heard
end
return { remaining, heard }

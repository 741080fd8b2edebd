-- The rest of `release.lua`: somebody waits, there are more holds than one, it is a copy, or the owner has none.
local remaining, wrongType, now = leave(lock, channel, request, owner, holds, stale, leaseMs, '', rememberMs)
if not remaining then
  return wrongType
end
if remaining == 0 and now then
  dropDeadWaiters(queue, timeouts, heartbeats, serverTimeMs())
  callFirst(queue, channel, publish)
end
return remaining

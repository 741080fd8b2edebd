-- Extend the windows of many holders of node numbers.
--
-- keys: the hash and the bounds of each. leaseMs: for how long. holders: of each, its token, and its own time in milliseconds.
-- Returns, in order, the last millisecond of each window and the time of the server, and 0 for a window that is not the holder's any more.

local keys = KEYS
local leaseMs, holders = ARGV[1], restOf(ARGV, 2)

local now = serverTimeMs()
local windows = {}
for i = 1, #keys, 2 do
  local hash, bounds, token, time = keys[i], keys[i + 1], holders[i], tonumber(holders[i + 1])
  local isThere = redis.call('type', hash).ok == 'hash'
  local number = isThere and heldBy(hash, token)
  if number then
    redis.call('zrem', bounds, '') -- there is none: Redis refuses no write for want of memory after one that needs none
    noticeLoss(hash, bounds, leaseMs, now)
  elseif not isThere then
    leaveBounds(bounds)
  end
  windows[i] = number and extend(hash, bounds, number, math.max(now, time), leaseMs) or 0
  windows[i + 1] = now
end
return windows

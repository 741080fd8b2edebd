-- For how many milliseconds a local cache may keep an entry that is there, or -1 for any time: until it expires, and for a quarter of its idle time,
-- which what a client reads from its cache does not begin anew. One millisecond less, because `now` is rounded down.
--
-- ttl, idle: the sorted sets of the ends.
local function keepableMs(ttl, idle, field, idleMs, now)
  local LONG = 1e12
  local ends = tonumber(redis.call('zscore', ttl, field) or math.huge)
  if idleMs ~= 0 then
    local idles = tonumber(redis.call('zscore', idle, field) or math.huge)
    ends = math.min(ends, idles, now + math.floor(idleMs / 4))
  end
  return ends - now > LONG and -1 or math.max(0, math.floor(ends - now) - 1)
end

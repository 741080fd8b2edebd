-- Tells the first queue that its turn may be earlier than it knows, and in how many milliseconds it shall ask. It counts as gone if it has not
-- asked soon after that, whenever it would have asked without the message. If it asks later, it comes last. Returns when that is.
local function callFirst(publish, channel, ends, first, endsAt, nowMs, inMs)
  local latest = nowMs + inMs + CALLED_MS
  if endsAt > latest then
    redis.call('zadd', ends, text(latest), first)
  end
  tell(publish, channel, first .. ' ' .. text(inMs))
  return math.min(endsAt, latest)
end

-- End a delivery that has failed.
--
-- delivery: the id of its message, and its token. final: whether the message is a dead letter in any case, if this is 1. reason, delayMs, most, places: see
-- fail(). space: the channel of those that wait for room, or nothing.
-- Returns 2 if the message is a dead letter now, 1 if it comes again or was cancelled, 0 if the delivery was not held.

local delivery, final, reason, delayMs, most, places, space, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end
needNoMemory(request)

local held = redis.call('zrem', leases, delivery)
if held == 1 then
  local id = string.sub(delivery, 1, 16)
  local added = fail(id, {
    reason = reason,
    delayMs = tonumber(delayMs),
    isFinal = final == '1',
    most = tonumber(most),
    now = serverTimeMs(),
    places = tonumber(places),
  })
  announce(publish, space, math.max(added, delayMs == '0' and 0 or 1)) -- one that is delayed may be the next that is due
  held = redis.call('zscore', dead, id) and 2 or 1
end
remember(request, held, rememberMs)
return held

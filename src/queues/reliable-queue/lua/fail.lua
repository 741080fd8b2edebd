-- End a delivery that has failed.
--
-- delivery: the id of its message, and its token. final: whether the message is a dead letter in any case, if this is 1. reason, delayMs, most, places: see
-- fail(). space: the channel of those that wait for room, or nothing.
-- Returns 1 if the delivery was held, otherwise 0.

local delivery, final, reason, delayMs, most, places, space, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end
needNoMemory(request)

local held = redis.call('zrem', leases, delivery)
if held == 1 then
  local added = fail(string.sub(delivery, 1, 16), {
    reason = reason,
    delayMs = tonumber(delayMs),
    isFinal = final == '1',
    most = tonumber(most),
    now = serverTimeMs(),
    places = tonumber(places),
  })
  announce(publish, space, math.max(added, delayMs == '0' and 0 or 1)) -- one that is delayed may be the next that is due
end
remember(request, held, rememberMs)
return held

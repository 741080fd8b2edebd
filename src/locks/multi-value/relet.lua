-- Make an owner's only hold last that long from now on, or several of them at least that long.
--
-- Where that is sooner than before, the waiters are notified: they sleep until the values may end, as far as they know.
-- Returns 1 if the owner holds all values, otherwise 0.

local group, channel = KEYS[1], KEYS[2]
local owner, values, leaseMs, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local now = serverTimeMs()
if leastHolds(group, values, owner, now) == 0 then
  return 0
end
local endsSooner, lastEnd, fields = false, 0, 0
for value in eachOf(values) do
  local _, expiresAt, count = holdOn(group, value, now)
  local endsAt = math.max(count == 1 and 0 or expiresAt, now + leaseMs)
  setHold(group, value, owner, endsAt, count)
  endsSooner = endsSooner or endsAt < expiresAt
  lastEnd = math.max(lastEnd, endsAt)
  fields = fields + 3
end
if redis.call('hlen', group) == fields then
  endWith(group, lastEnd - now, now) -- nothing else is in it
else
  keepFor(group, leaseMs, now)
end
if endsSooner then
  tell(publish, channel, '0')
end
return 1

-- Give deliveries back, as if there had been none: their messages are ready again, in their old places.
--
-- Returns how many of them were held.

local places, publish, deliveries = ARGV[1], ARGV[2], restOf(ARGV, 3)

-- A copy finds no lease: a message that was delivered again has another token.
local held, added = 0, 0
for _, delivery in ipairs(deliveries) do
  if redis.call('zrem', leases, delivery) == 1 then
    held = held + 1
    added = added + giveBack(string.sub(delivery, 1, 16), tonumber(places))
  end
end
if added > 0 then
  tell(publish, channel, added)
end
return held

-- Give deliveries back, as if there had been none: their messages are ready again, in their old places.
--
-- Returns 1.

local places, space, publish, deliveries = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

-- A copy finds no lease: a message that was delivered again has another token.
local added = 0
for _, delivery in ipairs(deliveries) do
  if redis.call('zrem', leases, delivery) == 1 then
    added = added + giveBack(string.sub(delivery, 1, 16), tonumber(places))
  end
end
announce(publish, space, added)
return 1

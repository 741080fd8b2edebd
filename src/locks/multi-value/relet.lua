-- Make an owner's only hold last that long from now on, or several of them at least that long.
--
-- Returns 1 if the owner holds all values, otherwise 0.

local group = KEYS[1]
local owner, values, leaseMs = ARGV[1], ARGV[2], ARGV[3]

local now = serverTimeMs()
if leastHolds(group, values, owner, now) == 0 then
  return 0
end
for value in eachOf(values) do
  local _, expiresAt, count = holdOn(group, value, now)
  local atLeast = count == 1 and 0 or expiresAt
  setHold(group, value, owner, math.max(atLeast, now + leaseMs), count)
end
keepFor(group, leaseMs, now)
return 1

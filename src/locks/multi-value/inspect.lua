-- Read the owner of any of the values.
--
-- Returns {milliseconds left, owner, hold count of the caller}; the time is -2 if all are free.

local group = KEYS[1]
local owner, values = ARGV[1], ARGV[2]

local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local now = serverTimeMs()
local longestMs, anybody = -2, ''
for value in eachOf(values) do
  local holder, expiresAt = holdOn(group, value, now)
  if holder and expiresAt - now > longestMs then
    longestMs, anybody = expiresAt - now, holder
  end
end
return { longestMs, anybody, leastHolds(group, values, owner, now) }

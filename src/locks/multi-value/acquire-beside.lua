-- The rest of `acquire.lua`: something of the group is held, it is a copy, or there are many values.
local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local now = serverTimeMs()
local remembered = redis.call('get', request)
local before = leastHolds(group, values, owner, now)
if remembered == 'taken' and before > 0 then
  return { 1, before }
end

local longestMs, longest = remembered and 0 or -1, nil
for value in eachOf(values) do
  local holder, expiresAt = holdOn(group, value, now)
  if holder and holder ~= owner and expiresAt - now > longestMs then
    longestMs, longest = expiresAt - now, holder
  end
end
if longestMs >= 0 then
  remember(request, 'refused', rememberMs)
  return { 0, longestMs, longest }
end

local leftMs = redis.call('pttl', group)
local mostOf, least = eachOf(most), nil
for value in eachOf(values) do
  local holder, expiresAt, held = holdOn(group, value, now)
  if not holder then
    freeValue(group, value)
  end
  local count = atMost((held or 0) + 1, mostOf())
  setHold(group, value, owner, math.max(count > 1 and expiresAt or 0, now + leaseMs), count)
  least = math.min(least or count, count)
end
-- The hash ends by itself, unless it was removed with the last of its values, whose holds had ended: then it is new.
if leftMs == -2 or (leftMs >= 0 and redis.call('pttl', group) == -1) then
  endWith(group, leaseMs, now)
else
  keepFor(group, leaseMs, now)
end
rememberTaken(request, leaseMs, rememberMs)
return { 1, least }

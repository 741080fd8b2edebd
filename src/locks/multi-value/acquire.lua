-- Take all values for one more hold, or none and report how long it may last until they are free.
--
-- most: how often the owner holds each of the values at most, by this; 1 or more numbers, or nothing where that cannot be known. What
-- Redis counts beyond that was lost by the owner's clock, which is ahead of the server's.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left, the owner who has a value for longest}; without the owner if
-- there is none any more.

local group, request = KEYS[1], KEYS[2]
local leaseMs, owner, values, most, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

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

local isNew = redis.call('exists', group) == 0
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
if isNew then
  endWith(group, leaseMs, now)
else
  keepFor(group, leaseMs, now)
end
rememberTaken(request, leaseMs, rememberMs)
return { 1, least }

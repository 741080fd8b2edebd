-- Take all values for one more hold, or none and report how long it may last until they are free.
--
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left}.

local group, request = KEYS[1], KEYS[2]
local leaseMs, owner, values, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local wrongType = wrongTypeOf(group)
if wrongType then
  return wrongType
end

local now = serverTimeMs()
local answered = redis.call('get', request)
local before = leastHolds(group, values, owner, now)
if answered == 'taken' and before > 0 then
  return { 1, before }
end

local longestMs = answered and 0 or -1
for value in eachOf(values) do
  local holder, expiresAt = holdOn(group, value, now)
  if holder and holder ~= owner then
    longestMs = math.max(longestMs, expiresAt - now)
  end
end
if longestMs >= 0 then
  remember(request, 'refused', rememberMs)
  return { 0, longestMs }
end

local isNew = redis.call('exists', group) == 0
for value in eachOf(values) do
  local holder, expiresAt, count = holdOn(group, value, now)
  if not holder then
    freeValue(group, value)
  end
  setHold(group, value, owner, math.max(expiresAt or 0, now + leaseMs), (count or 0) + 1)
end
if isNew then
  endWith(group, leaseMs, now)
else
  keepFor(group, leaseMs, now)
end
rememberTaken(request, leaseMs, rememberMs)
return { 1, before + 1 }

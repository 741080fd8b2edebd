-- Take permits for the waiters of the queue, one after the other, until there are too few for the next.
--
-- claims: how many permits each of them wants. initial: how many there shall be where the semaphore is not there; empty where that is
-- not known. undoableMs: how long it shall be known that permits were taken, so that the request can be undone.
-- Returns {how many of them have got theirs, how many permits there are now, 1 if the semaphore is there or 0}.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local claims, initial, undoableMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return { tonumber(string.match(remembered, '^taken (%d+)')) or 0, available or 0, available and 1 or 0 }
end

local set = not available and initial ~= ''
if set then
  available = redis.call('incrby', semaphore, initial)
end
local served, taken = 0, 0
for permits in string.gmatch(claims, '%d+') do
  if taken + permits > (available or 0) then
    break
  end
  served, taken = served + 1, taken + permits
end
if served > 0 then
  remember(request, string.format('taken %d %.0f', served, taken), undoableMs)
  available = redis.call('decrby', semaphore, taken)
else
  remember(request, 'refused', rememberMs)
end
if set and available > 0 then
  tell(publish, channel, available)
end
return { served, available or 0, available and 1 or 0 }

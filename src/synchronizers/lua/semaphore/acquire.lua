-- Take permits, if there are as many.
--
-- undoableMs: how long it shall be known that they were, so that the request can be undone.
-- Returns {1 if they were taken or 0, how many there are now}.

local semaphore, request = KEYS[1], KEYS[2]
local permits, undoableMs, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end
available = available or 0

local answered = redis.call('get', request)
if answered then
  return { answered == 'taken' and 1 or 0, available }
end
if available < tonumber(permits) then
  remember(request, 'refused', rememberMs)
  return { 0, available }
end
remember(request, 'taken', undoableMs)
return { 1, redis.call('decrby', semaphore, permits) }

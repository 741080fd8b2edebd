-- Take all permits that are there.
--
-- Returns how many there were, which may be less than none.

local semaphore, request = KEYS[1], KEYS[2]
local rememberMs = ARGV[1]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local drained = available or 0
if drained ~= 0 then
  redis.call('incrby', semaphore, -drained)
end
remember(request, drained, rememberMs)
return drained

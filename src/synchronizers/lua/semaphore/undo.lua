-- Give back what a request to acquire has taken, if it has, and let no copy of it take anything from now on.
--
-- request: that of the acquisition. undoneMs: how long a copy of it may still be under way.
-- Returns 1 if something was given back, otherwise 0.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local permits, publish, undoneMs = ARGV[1], ARGV[2], ARGV[3]

local taken = redis.call('get', request) == 'taken'
remember(request, 'undone', undoneMs)
if not taken or not numberAt(semaphore) then
  return 0
end
putBack(semaphore, channel, permits, publish)
return 1

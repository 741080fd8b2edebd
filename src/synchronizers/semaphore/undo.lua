-- Give back what a request to acquire has taken, if it has, and let no copy of it take anything from now on.
--
-- request: that of the acquisition. undoneMs: how long a copy of it may still be under way.
-- Returns 1 if something was released, otherwise 0.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local publish, undoneMs = ARGV[1], ARGV[2]

local taken = string.match(redis.call('get', request) or '', '^taken %d+ (%d+)')
remember(request, 'undone', undoneMs)
if not taken or not numberAt(semaphore) then
  return 0
end
putBack(semaphore, channel, taken, publish)
return 1

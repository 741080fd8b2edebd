-- Give back what a request to acquire has taken, if it has, let no copy of it take anything from now on, and leave the queue.
--
-- holds: the count that the owner would have reached by the request, or 0 if it cannot know.
-- Returns 1 if something was released, otherwise 0.

local lock, request, queue, timeouts, heartbeats, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local owner, holds, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local held, wrongType = holdsOf(lock, owner)
if wrongType then
  return wrongType
end

local taken = tookEffect(request, held, holds)
remember(request, 'undone', rememberMs)
removeFromQueue(queue, timeouts, heartbeats, owner)
if taken then
  giveBack(lock, channel, owner, held - 1, '')
end
if redis.call('exists', lock) == 0 then
  dropDeadWaiters(queue, timeouts, heartbeats, serverTimeMs())
  callFirst(queue, channel, publish)
end
return taken and 1 or 0

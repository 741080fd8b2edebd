-- Ask all clients that listen for their sums, or to begin anew.
--
-- message: what they are asked. lifeMs: after how many milliseconds the keys of their replies expire, if they are not removed.
-- Returns how many of them there are at this node. A message is counted for listeners of patterns as well, who will not reply, and so
-- its own count is used only where this user may not ask for the other one.

local counter, semaphore, topic, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local message, lifeMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

-- Redisson for Java gives them no time to live, but leaves one alone.
redis.call('set', counter, '0', 'px', lifeMs)
redis.call('set', semaphore, '0', 'px', lifeMs)

local subscribers = redis.pcall('pubsub', publish == 'spublish' and 'shardnumsub' or 'numsub', topic)
local receivers = redis.pcall(publish, topic, message)
if type(receivers) ~= 'number' then
  redis.call('del', counter, semaphore)
  return receivers
end

local listeners = subscribers.err and receivers or tonumber(subscribers[2])
remember(request, listeners, rememberMs)
return listeners

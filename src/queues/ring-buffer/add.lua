-- Add values at the end of a ring buffer, and remove the oldest elements that are too many.
--
-- Returns 1; nothing if it has no capacity, and then nothing was added.

local buffer, limit = KEYS[1], KEYS[2]
local values = ARGV

local before = redis.call('llen', buffer) -- refuses what is no list
local capacity, wrongLimit = numberAt(limit)
if not capacity then
  return wrongLimit
end

local size = redis.call('rpush', buffer, unpack(values))
if size > capacity then
  redis.call('ltrim', buffer, size - capacity, -1)
end

-- The capacity may expire since a time when there was an element.
local moment = before == 0 and expiresAt(limit) or -1
if moment >= 0 then
  redis.call('pexpireat', buffer, string.format('%.0f', moment))
end
return 1

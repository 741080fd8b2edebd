-- Set the capacity of a bounded queue, unless it has one, and notify those who wait for room. Elements that are there have places already.
--
-- Returns 1 if it was set, otherwise 0.

local queue, places, channel = KEYS[1], KEYS[2], KEYS[3]
local capacity, publish = ARGV[1], ARGV[2]

local size = redis.call('llen', queue) -- refuses what is no list
local left, wrongType = numberAt(places)
if wrongType then
  return wrongType
end
if left then
  return 0
end

local moment = expiresAt(queue)
left = tonumber(capacity) - size
redis.call('set', places, left)
if moment >= 0 then
  redis.call('pexpireat', places, string.format('%.0f', moment))
end
if left > 0 then
  tell(publish, channel, left)
end
return 1

-- Remove the latch, and tell whoever listens.
--
-- Returns 1 if there was a count, otherwise 0.

local latch, channel, request = KEYS[1], KEYS[2], KEYS[3]
local publish, rememberMs = ARGV[1], ARGV[2]

local _, wrongType = numberAt(latch)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local deleted = redis.call('del', latch)
if deleted == 1 then
  redis.call(publish, channel, '1')
end
remember(request, deleted, rememberMs)
return deleted

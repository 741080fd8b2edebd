-- Free the lock, whoever holds it and however often, and tell whoever waits, unless nobody listens to locks of its kind.
--
-- Returns 1 if it was held, otherwise 0.

local lock, channel, request = KEYS[1], KEYS[2], KEYS[3]
local publish, rememberMs = ARGV[1], ARGV[2]

local _, wrongType = holdsOf(lock, '')
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

local freed = redis.call('del', lock)
if freed == 1 and publish ~= '' then
  redis.call(publish, channel, '0')
end
remember(request, freed, rememberMs)
return freed

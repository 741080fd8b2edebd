-- Free the lock, for any owner and hold count, and notify waiters, unless locks of its kind have no listeners.
--
-- Returns 1 if it was held, otherwise 0.

local lock, channel, request = KEYS[1], KEYS[2], KEYS[3]
local publish, rememberMs = ARGV[1], ARGV[2]

local _, wrongType = holdsOf(lock, '')
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local freed = redis.call('del', lock)
if freed == 1 then
  tell(publish, channel, '0')
end
remember(request, freed, rememberMs)
return freed

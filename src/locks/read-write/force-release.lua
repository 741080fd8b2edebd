-- Free the lock if it is held in the given mode, for any owner and hold count, and notify waiters.
--
-- Returns 1 if it was, otherwise 0.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local mode, message, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local present, _, wrongType = modeAndHolds(lock, '')
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end
if present ~= mode then
  return 0
end

local entries = redis.call('hgetall', lock)
for i = 1, #entries, 2 do
  for number = 1, tonumber(entries[i + 1]) or 0 do
    redis.call('del', markerOf(markers, entries[i], number))
  end
end
redis.call('del', lock)
tell(publish, channel, message)
remember(request, 1, rememberMs)
return 1

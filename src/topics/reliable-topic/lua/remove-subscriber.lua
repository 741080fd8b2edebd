-- Remove a named subscriber, with its place.
--
-- Returns 1 if it was there, otherwise 0.

local stream, timeouts = KEYS[1], KEYS[2]
local name = ARGV[1]

if not groupOf(stream, name) then
  return 0
end
redis.call('xgroup', 'destroy', stream, name)
for _, member in ipairs(redis.call('zrange', timeouts, 0, -1)) do
  if string.match(member, '^ioredisson:lease:%x+:') and string.sub(member, 51) == name then
    redis.call('zrem', timeouts, member)
  end
end
trim(stream, serverTimeMs(), groupsOf(stream))
return 1

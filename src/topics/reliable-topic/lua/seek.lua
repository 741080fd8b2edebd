-- Move a named subscriber to another place.
--
-- position: after which message it goes on, or `$` for the last.
-- Returns 1, or 0 if there is no such subscriber.

local stream = KEYS[1]
local name, position = ARGV[1], ARGV[2]

if not groupOf(stream, name) then
  return 0
end
for _, mark in ipairs(redis.call('xpending', stream, name, '-', '+', 1000)) do
  redis.call('xack', stream, name, mark[1])
end
redis.call('xgroup', 'setid', stream, name, position)
return 1

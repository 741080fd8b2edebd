-- Give back one hold of a reader.
--
-- holds: how many the reader has, or 0 if it cannot know. stale: how many it may have left behind besides; where it cannot know,
-- how many are its own at least, beside holds that it has lost; or 0 if it has lost none.
-- Returns the holds that remain; -1 if there were none.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, holds, stale, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- The ordinary way: the only hold of the only reader, and no copy has come before.
if rememberMs == '0' and holds == '1' and redis.call('hlen', lock) == 2 then
  local mode, count = unpack(redis.call('hmget', lock, 'mode', owner))
  local marker = markers .. owner .. ':rwlock_timeout:1'
  if mode == 'read' and count == '1' and redis.call('exists', request) == 0 and redis.call('exists', marker) == 1 then
    redis.call('del', lock, marker)
    local heard = publish == '' and 0 or redis.pcall(publish, channel, '0')
    return type(heard) == 'number' and 0 or { 'REFUSED', channel, 0 }
  end
end

-- Give back one hold of the writer.
--
-- holds: how many the writer has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- Returns how many clients heard that it is free, if nothing but the last hold was to be given back. Otherwise {holds that remain, how many
-- clients heard}; {-1, 0} if there were none.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, holds, stale, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- The ordinary way: the only hold, nobody reads, and no copy has come before.
if rememberMs == '0' and holds == '1' and redis.call('hlen', lock) == 2 then
  local mode, count = unpack(redis.call('hmget', lock, 'mode', owner))
  if mode == 'write' and count == '1' and redis.call('exists', request) == 0 then
    redis.call('del', lock)
    local heard = publish == '' and 0 or redis.pcall(publish, channel, '1')
    return type(heard) == 'number' and heard or { 'REFUSED', channel, 0 }
  end
end

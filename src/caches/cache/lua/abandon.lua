-- End a load that has stored nothing, so that another one may begin.
--
-- Returns 1 if its mark was still there, otherwise 0.

local mark = KEYS[1]
local token, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if redis.call('get', mark) ~= token then
  return 0
end
redis.call('del', mark)
tell(publish == '' and '' or 'publish', channel, message) -- in a cluster too: a cache is in all slots
return 1

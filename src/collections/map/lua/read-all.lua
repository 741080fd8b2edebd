-- Read a map at once, unless it is too large for that.
--
-- The command says what of it: hkeys, hvals or hgetall. Returns nil if there are more than `most` entries.

local map = KEYS[1]
local command, most = ARGV[1], ARGV[2]

if redis.call('hlen', map) > tonumber(most) then
  return false
end
return redis.call(command, map)

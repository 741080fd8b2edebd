-- Read a set at once, unless it is too large for that.
--
-- Returns its values; nil if there are more than `most`.

local set = KEYS[1]
local most = ARGV[1]

if redis.call('scard', set) > tonumber(most) then
  return false
end
return redis.call('smembers', set)

-- Read a sorted set at once, unless it is too large for that.
--
-- Returns the values, each followed by its score; nil if there are more than `most`.

local set = KEYS[1]
local most = ARGV[1]

if redis.call('zcard', set) > tonumber(most) then
  return false
end
return redis.call('zrange', set, 0, -1, 'withscores')

-- End a lease that no caller has.
--
-- Returns 1 if it was still that of the token, otherwise 0.

local lease = KEYS[1]
local token = ARGV[1]

if redis.call('get', lease) ~= token then
  return 0
end
return redis.call('del', lease)

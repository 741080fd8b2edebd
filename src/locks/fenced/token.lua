-- Read the token that was issued last; 0 if none was.

local token = KEYS[1]

return tonumber(redis.call('get', token) or 0)

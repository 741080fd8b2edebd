-- Read the largest token that was seen; 0 if none was.

local seen = KEYS[1]

return tonumber(redis.call('get', seen) or 0)

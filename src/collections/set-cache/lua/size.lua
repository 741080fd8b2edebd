-- Count the values that have not ended.
--
-- Returns their number.

local set = KEYS[1]

return redis.call('zcount', set, FROM_NOW, '+inf')

-- Count the entries whose time to live has not ended.
--
-- Returns their number.

local series, ttl = KEYS[1], KEYS[2]

local ended = redis.call('zcount', ttl, '-inf', string.format('%.0f', serverTimeMs()))
return math.max(0, redis.call('zcard', series) - ended)

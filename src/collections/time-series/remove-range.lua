-- Remove the entries of a range of timestamps.
--
-- most: how many are touched, with those that have ended.
-- Returns {how many there were, 1 if there may be more, otherwise 0}.

local series, ttl = KEYS[1], KEYS[2]
local min, max, most = ARGV[1], ARGV[2], ARGV[3]

local left = most - sweep(series, ttl, most)
local removed = redis.call('zrangebyscore', series, min, max, 'limit', 0, left)
if #removed > 0 then
  redis.call('zrem', series, unpack(removed))
  redis.call('zrem', ttl, unpack(removed))
end
return { #removed, #removed == left and 1 or 0 }

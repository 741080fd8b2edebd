-- Removes entries whose time to live has ended, up to a number of them. Returns how many there were: with fewer than that, none is left.
local function sweep(series, ttl, most)
  local ended = redis.call('zrangebyscore', ttl, '-inf', string.format('%.0f', serverTimeMs()), 'limit', 0, most)
  if #ended > 0 then
    redis.call('zrem', series, unpack(ended))
    redis.call('zrem', ttl, unpack(ended))
  end
  return #ended
end

-- Removes keys that have ended, with all their values, up to a number. Returns how many there were.
--
-- prefix: what the keys of values begin with.
local function sweep(multimap, prefix, ends, most)
  local fields = redis.call('zrangebyscore', ends, '-inf', string.format('%.0f', serverTimeMs()), 'limit', 0, most)
  for _, field in ipairs(fields) do
    local hash = redis.call('hget', multimap, field)
    if hash and isHash(hash) then
      redis.call('unlink', prefix .. hash)
      redis.call('hdel', multimap, field)
    end
    redis.call('zrem', ends, field)
  end
  return #fields
end

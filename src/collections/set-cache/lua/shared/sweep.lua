-- The command that publishes events. Scripts set it.
local publishing

-- Publishes that values have ended: each of them, since those who listen at another node are not counted. The name of the channel ends as those
-- of keys.
local function announce(set, values)
  local channel = 'redisson_set_cache_expired:' .. (string.find(set, '{', 1, true) and set or '{' .. set .. '}')
  for _, value in ipairs(values) do
    tell(publishing, channel, struct.pack('Lc0', #value, value))
  end
end

-- Removes values that have ended, up to a number. Returns how many there were.
local function sweep(set, most)
  local ended = redis.call('zrangebyscore', set, '-inf', string.format('%.0f', now), 'limit', 0, most)
  if #ended > 0 then
    redis.call('zrem', set, unpack(ended))
    announce(set, ended)
  end
  return #ended
end

-- The same of several sets, up to 1 000 of all of them. Returns whether none is left.
local function sweepAll(sets)
  local left = 1000
  for _, set in ipairs(sets) do
    left = left - sweep(set, left)
    if left == 0 then
      return false
    end
  end
  return true
end

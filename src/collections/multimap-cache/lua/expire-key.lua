-- Set when a key ends: after `ttlMs` milliseconds, or never for 0.
--
-- hash: that of the field, which is the key. Returns 1 if the key is there, otherwise 0.

local multimap, ends = KEYS[1], KEYS[2]
local field, hash, ttlMs = ARGV[1], ARGV[2], ARGV[3]

local wrongType, isNamed = fieldOf(multimap, field, hash)
if wrongType then
  return wrongType
elseif not isNamed then
  return 0
end
if tonumber(ttlMs) == 0 then
  redis.call('zrem', ends, field)
  return 1
end
redis.call('zadd', ends, string.format('%.0f', serverTimeMs() + ttlMs), field)
local moment = expiresAt(multimap)
if moment > 0 then
  redis.call('pexpireat', ends, string.format('%.0f', moment))
else
  redis.call('persist', ends) -- Redisson may have left the time to live of a multimap that is gone
end
return 1

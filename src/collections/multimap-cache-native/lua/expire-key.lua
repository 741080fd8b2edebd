-- Set when a key ends, with its values: after `ttlMs` milliseconds, or never for 0.
--
-- hash: that of the field, which is the key. Returns 1 if the key is there, otherwise 0.

local multimap, values = KEYS[1], KEYS[2]
local field, hash, ttlMs = ARGV[1], ARGV[2], ARGV[3]

redis.call('hpexpiretime', multimap, 'fields', 1, field) -- fails, before anything is written, where ends of fields cannot be read
local wrongType, isNamed = fieldOf(multimap, field, hash)
if wrongType then
  return wrongType
elseif not isNamed then
  return 0
end
if tonumber(ttlMs) == 0 then
  redis.call('hpersist', multimap, 'fields', 1, field)
else
  redis.call('hpexpireat', multimap, string.format('%.0f', serverTimeMs() + ttlMs), 'fields', 1, field)
end
expireValues(values, endOfValues(multimap, field))
return 1

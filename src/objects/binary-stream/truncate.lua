-- Remove all bytes but the first ones. The time to live stays.
--
-- Returns how many bytes there are then.

local bytes = KEYS[1]
local size = ARGV[1]

if redis.call('strlen', bytes) > tonumber(size) then
  local kept = size == '0' and '' or redis.call('getrange', bytes, 0, size - 1)
  redis.call('set', bytes, kept, 'keepttl')
end
return redis.call('strlen', bytes)

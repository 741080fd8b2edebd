-- Limit the size of the cache, or note that there are listeners.
--
-- onlyIfUnset: whether a limit that is there stays, if this is 1. The other arguments are fields of the options, each followed by its value.
-- Returns 1 if they were set, otherwise 0.

local map, access, options = KEYS[1], KEYS[2], KEYS[3]
local onlyIfUnset, fields = ARGV[1], restOf(ARGV, 2)

redis.call('hlen', map) -- fails where the name belongs to another object
local before = redis.call('hmget', options, 'max-size', 'mode')
if onlyIfUnset == '1' and before[1] then
  return 0
end
redis.call('hset', options, unpack(fields))
local after = redis.call('hmget', options, 'max-size', 'mode')
if (before[2] or 'LRU') ~= (after[2] or 'LRU') or (after[1] or '0') == '0' then
  redis.call('unlink', access) -- scores of the one mode mean nothing to the other
end
local moment = expiresAt(map)
if moment > 0 then
  redis.call('pexpireat', options, string.format('%.0f', moment))
else
  redis.call('persist', options)
end
return 1

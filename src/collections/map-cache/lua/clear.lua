-- Remove all entries. The limit of the size stays.
--
-- Returns 1 if there were any, otherwise 0.

local map, ttl, idle, access, options = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

local isThere = redis.call('hlen', map) > 0
redis.call('unlink', map, ttl, idle, access)
redis.call('persist', options)
return isThere and 1 or 0

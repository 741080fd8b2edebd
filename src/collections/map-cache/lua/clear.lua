-- Remove all entries. The limit of the size stays.
--
-- Returns 1 if there were any, otherwise 0.

local map, ttl, idle, access = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local isThere = redis.call('hlen', map) > 0
redis.call('unlink', map, ttl, idle, access)
return isThere and 1 or 0

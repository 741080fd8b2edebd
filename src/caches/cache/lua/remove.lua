-- Remove an entry. A load that is under way does not store what it returns.
--
-- Returns 1 if there was an entry, otherwise 0.

local entry, mark = KEYS[1], KEYS[2]
local channel, message, publish = ARGV[1], ARGV[2], ARGV[3]

local removed = redis.call('del', entry)
redis.call('del', mark)
tell(publish == '' and '' or 'publish', channel, message) -- in a cluster too: a cache is in all slots
return removed

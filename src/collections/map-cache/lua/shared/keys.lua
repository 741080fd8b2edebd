-- The keys of a map cache: the hash of records, and for each entry that has one when it ends, until when it has to be used, and when or how often it was
-- used; the options.
local map, ttl, idle, access, options = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

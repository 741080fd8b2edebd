-- Set the values of many fields, and how long they last.
--
-- ttlMs: more than 0. The other arguments are fields, each followed by its value. Returns 1.

local map = KEYS[1]
local ttlMs, entries = ARGV[1], restOf(ARGV, 2)

setAll(map, ttlMs, entries)
return 1

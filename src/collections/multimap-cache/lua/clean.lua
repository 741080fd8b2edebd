-- Remove keys that have ended, with all their values.
--
-- prefix: what the keys of values begin with. most: how many. Returns how many there were.

local multimap, prefix, ends = KEYS[1], KEYS[2], KEYS[3]
local most = ARGV[1]

return sweep(multimap, prefix, ends, tonumber(most))

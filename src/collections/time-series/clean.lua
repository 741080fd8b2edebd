-- Remove entries whose time to live has ended, up to a number of them.
--
-- Returns how many there were.

local series, ttl = KEYS[1], KEYS[2]
local most = ARGV[1]

return sweep(series, ttl, most)

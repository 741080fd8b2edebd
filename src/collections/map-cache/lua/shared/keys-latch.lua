-- The same keys as in `keys.lua`, and the mark of a client that cleans.
local map, ttl, idle, access, options, latch = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

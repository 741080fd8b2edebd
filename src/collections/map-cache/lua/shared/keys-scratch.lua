-- The same keys as in `keys.lua`, and one where a sum is made.
local map, ttl, idle, access, options, scratch = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

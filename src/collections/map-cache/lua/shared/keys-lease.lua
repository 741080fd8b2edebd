-- The same keys as in `keys.lua`, and that of the lease of an entry.
local map, ttl, idle, access, options, lease = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

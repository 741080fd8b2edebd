-- The same keys as in `keys-once.lua`, and the one under which the request is remembered that is undone.
local records, ready, delayed, leases, dead, grouped, facts, dedups, channel, request, taken =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]

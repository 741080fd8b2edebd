-- Have the object expire, with all its keys.
--
-- moment: when, in milliseconds since 1970; empty for ttlMs from now on. condition: 'set' if it has to expire already and 'unset' if it
-- may not, 'later' or 'earlier' than it does, where never is later than any moment; empty for any. kind: see otherKind().
-- Returns 1 if it expires then, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local moment, ttlMs, condition, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

return expireObject(object, others, moment, ttlMs, condition, kind)

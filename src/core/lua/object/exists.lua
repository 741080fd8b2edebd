-- Read whether the object exists.
--
-- kind: see otherKind().
-- Returns 1 if it is, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local kind = ARGV[1]

return otherKind(object, kind, others[1]) or redis.call('exists', object)

-- Read whether the object exists.
--
-- kind: see otherKind().
-- Returns 1 if it is, otherwise 0.

local object = KEYS[1]
local kind = ARGV[1]

return otherKind(object, kind) or redis.call('exists', object)

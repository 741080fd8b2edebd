-- Read for how long nothing has used the object.
--
-- kind: see otherKind().
-- Returns seconds, or nothing if it is not there.

local object = KEYS[1]
local kind = ARGV[1]

return otherKind(object, kind) or redis.call('object', 'idletime', object)

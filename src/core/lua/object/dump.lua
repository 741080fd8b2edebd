-- Read what is at the key of the object, in the form in which Redis stores it.
--
-- kind: see otherKind().
-- Returns bytes, or nothing if it is not there.

local object = KEYS[1]
local kind = ARGV[1]

return otherKind(object, kind) or redis.call('dump', object)

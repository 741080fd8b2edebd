-- Read when the object expires.
--
-- kind: see otherKind().
-- Returns {milliseconds until then, that moment in milliseconds since 1970}, both -1 for never, and -2 if it is not there.

local object = KEYS[1]
local kind = ARGV[1]

return otherKind(object, kind) or { redis.call('pttl', object), expiresAt(object) }

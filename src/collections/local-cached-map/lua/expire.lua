-- Have the map expire, and tell the local caches, which have to learn when that is.
--
-- The first four arguments are those of expireObject(). message: what they are told.
-- Returns 1 if it expires then, otherwise 0.

local channel, message, publish = ARGV[5], ARGV[6], ARGV[7]

local expires = expireObject()
if expires == 1 and message ~= '' then
  tell(publish, channel, message)
end
return expires

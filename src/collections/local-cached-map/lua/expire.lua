-- Have the map expire, and notify the local caches, which have to learn when that is.
--
-- moment, ttlMs, condition, kind: see expireObject(). chance: for the mark of the log, which is the first of the other keys; empty if there is
-- none. message: what is published to local caches; empty for nothing. Returns 1 if it expires then, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local moment, ttlMs, condition, kind, chance, channel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local expires = expireObject(object, others, moment, ttlMs, condition, kind)
if expires == 1 then
  renewMark(others[1], chance)
end
if expires == 1 and message ~= '' then
  tell(publish, channel, message)
end
return expires

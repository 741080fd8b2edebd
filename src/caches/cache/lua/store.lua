-- Store what a load has returned, if its mark is still there: no one has written or removed the entry since it began.
--
-- lifeMs: how long the entry lasts; -1 for as long as it is not removed, 0 for no entry.
-- Returns 1 if it was stored, or removed for 0, otherwise 0, also where Redis takes no writes. Its mark then lasts until its end.

local entry, mark = KEYS[1], KEYS[2]
local token, record, lifeMs, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

if redis.call('get', mark) ~= token then
  return 0
end
local isStored
if lifeMs == '0' then
  isStored = tryWrite('del', entry)
else
  isStored = setIfTaken(entry, record, lifeMs)
end
tryWrite('del', mark)
tell(publish == '' and '' or 'publish', channel, message) -- in a cluster too: a cache is in all slots
return isStored and 1 or 0

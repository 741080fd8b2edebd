-- Store what a load has returned, if its mark is still there: no one has written or removed the entry since it began.
--
-- lifeMs: how long the entry lasts; -1 for as long as it is not removed, 0 for no entry.
-- Returns 1 if it was stored, or removed for 0, otherwise 0, also where Redis has no room.

local entry, mark = KEYS[1], KEYS[2]
local token, record, lifeMs, channel, message = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if redis.call('get', mark) ~= token then
  return 0
end
local stored = 1
if lifeMs == '0' then
  redis.call('del', entry)
elseif not setIfRoom(entry, record, lifeMs) then
  stored = 0
end
redis.call('del', mark)
redis.pcall('publish', channel, message)
return stored

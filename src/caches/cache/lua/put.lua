-- Write an entry. A load that is under way does not store what it returns.
--
-- lifeMs: how long the entry lasts; -1 for as long as it is not removed.

local entry, mark = KEYS[1], KEYS[2]
local record, lifeMs, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if lifeMs == '-1' then
  redis.call('set', entry, record)
else
  redis.call('set', entry, record, 'px', lifeMs)
end
redis.call('del', mark)
tell(publish == '' and '' or 'publish', channel, message) -- in a cluster too: a cache is in all slots
return 1

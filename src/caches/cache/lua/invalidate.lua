-- Note when the entries of a tag, or all entries, were deleted or expired. The time is that of the server, and later than the one before.
--
-- what: `deleted` or `expired`. lifeMs: for how long the time is kept; 0 for no expiry.

local times = KEYS[1]
local what, lifeMs, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local now = serverTimeMs()
local deleted, expired = string.match(redis.call('get', times) or '0 0', '^(%d+) (%d+)$')
if what == 'deleted' then
  deleted = math.max(now, tonumber(deleted or 0) + 1)
else
  expired = math.max(now, tonumber(expired or 0) + 1)
end
local value = string.format('%.0f %.0f', tonumber(deleted or 0), tonumber(expired or 0))
if lifeMs == '0' then
  redis.call('set', times, value)
else
  redis.call('set', times, value, 'px', lifeMs)
end
tell(publish == '' and '' or 'publish', channel, message) -- in a cluster too: a cache is in all slots
return 1

-- Set for how long messages stay that every subscriber has acknowledged.
--
-- historyMs: 0 for not at all.
-- Returns 1.

local stream = KEYS[1]
local historyMs = ARGV[1]

local name = HISTORY .. historyMs
for _, group in ipairs(groupsOf(stream)) do
  if historyOf(group) and group.name ~= name then
    redis.call('xgroup', 'destroy', stream, group.name)
  end
end
local now = serverTimeMs()
if tonumber(historyMs) > 0 and not groupOf(stream, name) then
  redis.call('xgroup', 'create', stream, name, beforeMoment(now - historyMs), 'mkstream')
end
trim(stream, now, groupsOf(stream))
return 1

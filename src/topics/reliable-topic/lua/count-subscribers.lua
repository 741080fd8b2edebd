-- Count the subscribers of a topic, without those that were not renewed in time.
--
-- Returns how many there are.

local stream, timeouts = KEYS[1], KEYS[2]

local now = serverTimeMs()
local subscribers = 0
for _, group in ipairs(groupsOf(stream)) do
  local deadline = redis.call('zscore', timeouts, group.name)
  if not historyOf(group) and (not deadline or tonumber(deadline) >= now) then
    subscribers = subscribers + 1
  end
end
return subscribers

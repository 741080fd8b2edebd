-- Publish a message.
--
-- Returns how many subscribers the topic has.

local stream, timeouts = KEYS[1], KEYS[2]
local message = ARGV[1]

redis.call('xadd', stream, '*', 'm', message)
local now = serverTimeMs()
local swept = sweep(stream, timeouts, now)
local groups = groupsOf(stream)
if swept > 0 then
  trim(stream, now, groups)
end

local subscribers = 0
for _, group in ipairs(groups) do
  if not historyOf(group) then
    subscribers = subscribers + 1
  end
end
return subscribers

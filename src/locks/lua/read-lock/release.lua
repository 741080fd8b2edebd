-- Give back one hold of a reader.
--
-- holds: how many the reader has, or 0 if it cannot know.
-- Returns the holds that remain; -1 if there were none.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, holds, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local _, held, wrongType = modeAndHolds(lock, owner)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered then
  return tonumber(answered)
end

-- The first copy of a request leaves no answer behind. That the count is lower already shows that it has run.
local again = tonumber(rememberMs) > 0
if again and (held or 0) < tonumber(holds) then
  remember(request, held or 0, rememberMs)
  return held or 0
end
if not held then
  -- The lock was taken away as a whole, by somebody who does not know of this reader's keys beside it.
  for number = 1, math.max(tonumber(holds), 1) do
    redis.call('del', markerOf(markers, owner, number))
  end
  return -1
end

remember(request, held - 1, rememberMs)
leave(lock, channel, markers, owner, held, publish)
return held - 1

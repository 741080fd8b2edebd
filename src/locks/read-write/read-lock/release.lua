-- Give back one hold of a reader.
--
-- holds: how many the reader has, or 0 if it cannot know. stale: how many it may have left behind besides; where it cannot know,
-- how many are its own at least, beside holds that it has lost; or 0 if it has lost none.
-- Returns the holds that remain; -1 if there were none.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, holds, stale, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local mode, held, wrongType = modeAndHolds(lock, owner, markers)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

-- The first copy of a request leaves no reply behind. That the count is lower already shows that it has run.
local again = tonumber(rememberMs) > 0
if again and (held or 0) < tonumber(holds) then
  remember(request, held or 0, rememberMs)
  return held or 0
end
if not held then
  -- Something may have taken the lock away as a whole that does not know of this reader's keys beside it.
  for number = 1, math.max(tonumber(holds), 1) do
    redis.call('del', markerOf(markers, owner, number))
  end
  if mode == 'read' and settleReaders(lock, markers) then
    tell(publish, channel, '0') -- what was left of it were dead readers
  end
  return -1
end

if tonumber(holds) == 0 and tonumber(stale) > 0 then
  held = dropEndedHolds(markers, owner, held, tonumber(stale))
end
local remaining = countAfterRelease(held, tonumber(holds), tonumber(stale))
leave(lock, channel, markers, owner, held, remaining, publish)
rememberRelease(request, remaining, held, tonumber(holds), rememberMs)
return remaining

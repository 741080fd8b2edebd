-- The rest of `release.lua`: other readers, more holds than one, a copy, or a reader that has none.
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

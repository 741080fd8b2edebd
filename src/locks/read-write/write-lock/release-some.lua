-- The rest of `release.lua`: more holds than one, a writer that reads as well, a copy, or an owner that has none.
local _, held, wrongType = modeAndHolds(lock, owner)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return { tonumber(remembered), 0 }
end

-- The first copy of a request leaves no reply behind. That the count is lower already shows that it has run.
local again = tonumber(rememberMs) > 0
if again and (held or 0) < tonumber(holds) then
  remember(request, held or 0, rememberMs)
  return { held or 0, 0 }
end
if not held then
  return { -1, 0 }
end

local remaining = countAfterRelease(held, tonumber(holds), tonumber(stale))
needNoMemory(request)
local heard = leave(lock, channel, markers, owner, held, remaining, publish)
rememberRelease(request, remaining, held, tonumber(holds), rememberMs)
if remaining > 0 then
  extend(lock, leaseMs)
end
return { remaining, heard }

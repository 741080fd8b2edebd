-- Give back one hold of the writer.
--
-- holds: how many the writer has, or 0 if it cannot know. stale: how many it may have left behind besides.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- Returns {holds that remain, how many clients heard that it is free}; {-1, 0} if there were none.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, holds, stale, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

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

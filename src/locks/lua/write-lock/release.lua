-- Give back one hold of the writer.
--
-- holds: how many the writer has, or 0 if it cannot know.
-- leaseMs: how long the holds that remain shall last at least; 0 leaves their lease alone.
-- Returns the holds that remain; -1 if there were none.

local lock, channel, request, markers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, holds, leaseMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

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
  return -1
end

remember(request, held - 1, rememberMs)
leave(lock, channel, markers, owner, held, publish)
if held > 1 then
  extend(lock, leaseMs)
end
return held - 1

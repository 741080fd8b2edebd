-- Set the mark of a run, unless there is one.
--
-- lifeMs: how long the mark lasts. ttlMs: for how long there must be no other run, even if the mark ends earlier.
-- Returns {1, when that time is over by the server's clock} if the mark is the request's own, otherwise {0, 0}.

local mark, request = KEYS[1], KEYS[2]
local token, lifeMs, ttlMs, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local remembered = redis.call('get', request)
if remembered then
  local endsAt = tonumber(remembered)
  return { endsAt and 1 or 0, endsAt or 0 }
end

local present = redis.call('get', mark)
if present and present ~= token then
  remember(request, 'refused', rememberMs)
  return { 0, 0 }
end

if not present then
  redis.call('set', mark, token, 'px', lifeMs)
end
local ageMs = lifeMs - redis.call('pttl', mark)
local endsAt = serverTimeMs() + ttlMs - ageMs
remember(request, string.format('%.0f', endsAt), rememberMs)
return { 1, endsAt }

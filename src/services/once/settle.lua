-- Have the mark of a run that has ended last until a moment, and no longer.
--
-- endsAt: by the server's clock, in milliseconds.
-- The mark says then that it is settled, so that a renewal that comes later leaves it alone.
-- Returns 1 if the mark was still the run's own, otherwise 0. A copy would not find a mark that has ended by this, and so the reply is kept.

local mark, request = KEYS[1], KEYS[2]
local token, endsAt, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local present, settled = redis.call('get', mark), token .. ':settled'
if present ~= token and present ~= settled then
  remember(request, 0, rememberMs)
  return 0
end
needNoMemory(request)
redis.call('set', mark, settled)
redis.call('pexpireat', mark, endsAt)
remember(request, 1, rememberMs)
return 1

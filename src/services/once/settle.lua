-- Have the mark of a run that has ended last until a moment, and no longer.
--
-- endsAt: by the server's clock, in milliseconds.
-- The mark says then that it is settled, so that a renewal that comes later leaves it alone.
-- Returns 1 if the mark was still the run's own, otherwise 0.

local mark = KEYS[1]
local token, endsAt = ARGV[1], ARGV[2]

local present, settled = redis.call('get', mark), token .. ':settled'
if present ~= token and present ~= settled then
  return 0
end
redis.call('set', mark, settled)
redis.call('pexpireat', mark, endsAt)
return 1

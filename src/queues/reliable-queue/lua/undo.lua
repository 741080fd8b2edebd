-- Give back what a request has taken, if it has, and let no copy of it take anything from now on.
--
-- request: that of take.lua. undoneMs: how long a copy of it may still be under way.
-- Returns 1.

local places, undoneMs, space, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local taken = redis.call('get', request) or ''
remember(request, 'undone', undoneMs)
local added = 0
for id, token in string.gmatch(taken, '(%d+) (%d+)') do
  if redis.call('zrem', leases, id .. ' ' .. token) == 1 then
    added = added + giveBack(id, tonumber(places))
  end
end
announce(publish, space, added)
return 1

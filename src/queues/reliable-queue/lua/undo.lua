-- Give back what a request has taken, if it has, and let no copy of it take anything from now on.
--
-- request: that of take.lua. deliveries: what its reply says it has taken, each an id and a token; nothing where there is no reply. undoneMs: how long a
-- copy of it may still be under way.
-- Returns 1.

local deliveries, places, undoneMs, space, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- No caller had these deliveries. So one that is not there has ended by its time.
local taken = redis.call('get', request) or deliveries
remember(request, 'undone', undoneMs)
local added = 0
for id, token in string.gmatch(taken, '(%d+) (%d+)') do
  if redis.call('zrem', leases, id .. ' ' .. token) == 1 then
    added = added + giveBack(id, tonumber(places))
  else
    added = added + forgive(id, tonumber(places))
  end
end
announce(publish, space, added)
return 1

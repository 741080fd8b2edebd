-- Give back what a request has taken, if it has, and let no copy of it take anything from now on.
--
-- taken: the request of take.lua. deliveries: what its reply says it has taken, each an id and a token; nothing where there is no reply. undoneMs: how long
-- a copy of it may still be under way.
-- Returns 1.

local deliveries, places, undoneMs, space, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- A copy forgives nothing more. What is kept of the request that is undone does not show that: it is removed where that has its reply.
if redis.call('get', request) then
  return 1
end
needNoMemory(request)

-- No caller had these deliveries. So one that is not there has ended by its time.
local held = redis.call('get', taken) or deliveries
remember(taken, 'undone', undoneMs)
local added = 0
for id, token in string.gmatch(held, '(%d+) (%d+)') do
  if redis.call('zrem', leases, id .. ' ' .. token) == 1 then
    added = added + giveBack(id, tonumber(places))
  else
    added = added + forgive(id, token, tonumber(places))
  end
end
announce(publish, space, added)
remember(request, 'undone', rememberMs)
return 1

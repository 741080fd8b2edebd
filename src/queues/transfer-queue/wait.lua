-- Renew how many consumers of a process wait; 0 for none.
--
-- Returns how many elements there are.

local queue, consumers = KEYS[1], KEYS[2]
local process, number, leaseMs = ARGV[1], ARGV[2], ARGV[3]

local size = redis.call('llen', queue)
redis.call('hdel', consumers, process)
if number ~= '0' then
  redis.call('hset', consumers, process, number .. ' ' .. string.format('%.0f', serverTimeMs() + leaseMs))
  redis.call('pexpire', consumers, leaseMs) -- all others end before
end
local waiting, now = redis.call('hgetall', consumers), serverTimeMs()
for i = 2, #waiting, 2 do
  local untilMs = string.match(waiting[i], ' (%d+)$')
  if not untilMs or tonumber(untilMs) <= now then
    redis.call('hdel', consumers, waiting[i - 1]) -- of a process that has died
  end
end
return size

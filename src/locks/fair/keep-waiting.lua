-- Have waiters stay in their queues for some time more, and discard those who are dead.
--
-- places: for every waiter its lock, queue, timeouts and heartbeats.
-- Returns, in order, 1 for every waiter that is in its queue, 2 if it is its turn, and 0 if it has been discarded.

local places = KEYS
local aliveMs, foreignWaitMs, owners = ARGV[1], ARGV[2], restOf(ARGV, 3)

local now = serverTimeMs()
local known = {}
for i, owner in ipairs(owners) do
  local lock, queue, timeouts, heartbeats = unpack(places, 4 * i - 3, 4 * i)
  known[i] = 0
  local inSets = redis.call('zscore', heartbeats, owner) and redis.call('zscore', timeouts, owner)
  if inSets and isListed(queue, timeouts, owner) then
    redis.call('zrem', heartbeats, '') -- there is none: Redis refuses no write for want of memory after one that needs none
    stayInQueue(queue, timeouts, heartbeats, owner, now, tonumber(aliveMs), tonumber(foreignWaitMs))
    dropDeadWaiters(queue, timeouts, heartbeats, now)
    local first = redis.call('lindex', queue, 0) == owner
    known[i] = first and redis.call('exists', lock) == 0 and 2 or 1
  else
    redis.call('zrem', heartbeats, owner)
  end
end
return known

-- A fair lock has a queue beside it: a list of owners, and for each of them, in a sorted set, until when it stays there.
-- Redisson discards the first in the queue when its time has passed. Waiters of this library say again and again that they
-- are alive, in a sorted set of their own, and are discarded as soon as they have not, wherever in the queue they are.

local function removeFromQueue(queue, timeouts, heartbeats, owner)
  redis.call('lrem', queue, 1, owner) -- it is there once, and mostly at the head
  redis.call('zrem', timeouts, owner)
  redis.call('zrem', heartbeats, owner)
end

-- Discards the dead: waiters who have fallen silent, and at the head those whose time has passed or who have none.
local function dropDeadWaiters(queue, timeouts, heartbeats, now)
  for _, owner in ipairs(redis.call('zrangebyscore', heartbeats, '-inf', now)) do
    removeFromQueue(queue, timeouts, heartbeats, owner)
  end
  while true do
    local head = redis.call('lindex', queue, 0)
    if not head or redis.call('zscore', heartbeats, head) then
      return
    end
    local timeout = redis.call('zscore', timeouts, head)
    if timeout and tonumber(timeout) > now then
      return
    end
    removeFromQueue(queue, timeouts, heartbeats, head)
  end
end

-- How many waiters of Redisson are ahead of an owner in the queue. Usually there are none at all.
local function foreignAhead(queue, heartbeats, owner)
  local foreign = redis.call('llen', queue) - redis.call('zcard', heartbeats)
  local ahead = 0
  for _, other in ipairs(foreign > 0 and redis.call('lrange', queue, 0, -1) or {}) do
    if other == owner or ahead == foreign then
      break
    end
    if not redis.call('zscore', heartbeats, other) then
      ahead = ahead + 1
    end
  end
  return ahead
end

-- Notes that a waiter is alive. Waiters of Redisson take what they waited themselves from the time of everybody behind them;
-- where there are any ahead, it is given so much more that it is not used up before it is given anew. It is given no more
-- than that: Redisson knows nothing of heartbeats, and waits for the end of a dead waiter's time.
local function stayInQueue(queue, timeouts, heartbeats, owner, now, aliveMs, foreignWaitMs)
  redis.call('zadd', heartbeats, now + aliveMs, owner)
  local timeMs = aliveMs + foreignAhead(queue, heartbeats, owner) * foreignWaitMs
  redis.call('zadd', timeouts, now + timeMs, owner)
  if redis.call('pttl', heartbeats) < timeMs then
    redis.call('pexpire', heartbeats, timeMs) -- there may be nobody left but Redisson to clean up
  end
end

-- How soon a waiter should look again, in milliseconds, while the lock is free and it is the turn of somebody else: the nearer
-- it is itself, the sooner. Whoever takes the lock may let its lease end, and then no message tells the next.
local function lookAgainInMs(queue, owner, aliveMs)
  for place, other in ipairs(redis.call('lrange', queue, 1, 50)) do
    if other == owner then
      return math.min(50 * place, aliveMs)
    end
  end
  return aliveMs
end

-- Tells the first in the queue that it is its turn.
local function callFirst(queue, channel, publish)
  local head = redis.call('lindex', queue, 0)
  if head then
    redis.call(publish, channel .. ':' .. head, '0')
  end
end

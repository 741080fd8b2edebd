-- A fair lock has a queue beside it: a list of owners, and for each of them, in a sorted set, until when it stays there.
-- Redisson discards the first in the queue when its time has passed. Waiters of this library say again and again that they
-- are alive, in a sorted set of their own, and are discarded as soon as they have not, wherever in the queue they are.

local function removeFromQueue(queue, timeouts, heartbeats, owner)
  redis.call('lrem', queue, 1, owner) -- it is there once, and mostly at the head
  redis.call('zrem', timeouts, owner)
  redis.call('zrem', heartbeats, owner)
end

-- How many dead waiters behind the head a script still removes. It looks through the list for each of them.
local mostBehind = 100

-- Discards the dead: at the head those who have fallen silent, or whose time has passed or who have none; behind it some who have fallen silent.
local function dropDeadWaiters(queue, timeouts, heartbeats, now)
  local head = redis.call('lindex', queue, 0)
  while head do
    local aliveUntil = redis.call('zscore', heartbeats, head) or redis.call('zscore', timeouts, head)
    if aliveUntil and tonumber(aliveUntil) > now then
      break
    end
    removeFromQueue(queue, timeouts, heartbeats, head)
    head = redis.call('lindex', queue, 0)
  end
  for _, owner in ipairs(redis.call('zrangebyscore', heartbeats, '-inf', now, 'limit', 0, mostBehind)) do
    removeFromQueue(queue, timeouts, heartbeats, owner)
    mostBehind = mostBehind - 1
  end
end

-- How many waiters of Redisson are ahead of each owner, in each queue that was looked through: once for all waiters of a script.
local aheadOf = {}

-- How many waiters of Redisson are ahead of an owner in the queue. Usually there are none at all.
local function foreignAhead(queue, heartbeats, owner)
  local foreign = redis.call('llen', queue) - redis.call('zcard', heartbeats)
  if foreign <= 0 or redis.call('lindex', queue, -1) == owner then
    return math.max(foreign, 0)
  end
  if not aheadOf[queue] then
    local ahead, counts = 0, {}
    for _, other in ipairs(redis.call('lrange', queue, 0, -1)) do
      counts[other] = ahead
      ahead = ahead + (redis.call('zscore', heartbeats, other) and 0 or 1)
      if ahead == foreign then
        break
      end
    end
    aheadOf[queue] = counts
  end
  return aheadOf[queue][owner] or foreign
end

-- Whether an owner is in the list. All who wait are in the list and have a time, so that the lengths of both mostly tell. Something else may
-- have removed an owner from one of the two: Redisson from both, an eviction from either. Only then the list is looked through.
local function isListed(queue, timeouts, owner)
  local hasTime = redis.call('zscore', timeouts, owner)
  local surplus = redis.call('llen', queue) - redis.call('zcard', timeouts)
  if hasTime and surplus >= 0 then
    return true
  end
  if not hasTime and surplus <= 0 then
    return false
  end
  return redis.call('lpos', queue, owner)
end

-- What is left of a queue whose waiters have all gone without a word lasts for this much longer than the times of all of them, in
-- milliseconds: at least a day. Redisson adds to the queue and never says how long it shall last.
local LEFT_BEHIND_MS = 86400000

-- Has a queue end some time, and not before those who are in it.
local function endSomeTime(queue, timeouts, now)
  local _, latest = unpack(redis.call('zrange', timeouts, -1, -1, 'withscores'))
  local leastMs = math.max(tonumber(latest) - now, 0) + LEFT_BEHIND_MS
  for _, key in ipairs({ queue, timeouts }) do
    if redis.call('pttl', key) < leastMs then
      redis.call('pexpire', key, string.format('%.0f', leastMs + LEFT_BEHIND_MS))
    end
  end
end

-- Notes that a waiter is alive. Waiters of Redisson take what they waited themselves from the time of all behind them;
-- where there are any ahead, it is given so much more that it is not used up before it is given anew. It is given no more
-- than that: Redisson knows nothing of heartbeats, and waits for the end of a dead waiter's time.
local function stayInQueue(queue, timeouts, heartbeats, owner, now, aliveMs, foreignWaitMs)
  redis.call('zadd', heartbeats, now + aliveMs, owner)
  local timeMs = aliveMs + foreignAhead(queue, heartbeats, owner) * foreignWaitMs
  redis.call('zadd', timeouts, now + timeMs, owner)
  if redis.call('pttl', heartbeats) < timeMs then
    redis.call('pexpire', heartbeats, timeMs) -- there may be only Redisson left to clean up
  end
  endSomeTime(queue, timeouts, now)
end

-- How soon a waiter should check again, in milliseconds, while the lock is free and it is the turn of another: the nearer
-- it is itself, the sooner. The next owner may let its lease end, and then no message notifies the next waiter.
local function lookAgainInMs(queue, owner, aliveMs)
  for place, other in ipairs(redis.call('lrange', queue, 1, 50)) do
    if other == owner then
      return math.min(50 * place, aliveMs)
    end
  end
  return aliveMs
end

-- Notifies the first in the queue of its turn.
local function callFirst(queue, channel, publish)
  local head = redis.call('lindex', queue, 0)
  if head then
    tell(publish, channel .. ':' .. head, '0')
  end
end

-- A limiter has a sorted set of the places that are taken, each with the end of its lease; one of the queues that wait, with their turns, and one of
-- when each of those counts as gone; and the levels of its rate, as `shared/levels.lua` explains them.

-- How many turns each priority has. They are whole numbers, and all of them are below 2^53. A turn is the first of its priority and a number,
-- which a queue keeps when its priority changes.
local TURNS = 2 ^ 42

-- How long a queue that waits does nothing at most, if no rate tells how long that is useless, and how much later it counts as gone.
local LOOK_MS = 3000
local GONE_MS = 3000

-- How much later than it shall a queue that is called counts as gone: as long as a message and a request take on a slow way, and no longer, because all
-- others wait for it.
local CALLED_MS = 1000

-- How long a queue does nothing in any case, and how long the keys of those that wait are kept, which is longer.
local LONGEST_WAIT_MS = 60000
local KEPT_MS = 120000

local function text(number)
  return string.format('%.0f', number)
end

local function wordsIn(line)
  local words = {}
  for word in string.gmatch(line, '%S+') do
    words[#words + 1] = word
  end
  return words
end

-- The name of a place that a request has taken.
local function placeOf(id, number)
  return id .. ' ' .. text(number)
end

-- Frees places whose leases have ended.
local function sweep(places, nowMs)
  redis.call('zremrangebyscore', places, '-inf', text(nowMs))
end

local function nextEndIn(places, nowMs)
  local first = redis.call('zrange', places, 0, 0, 'withscores')
  return first[2] and math.max(tonumber(first[2]) - nowMs, 1) or math.huge
end

local function lend(places, id, first, weight, endsAtMs)
  for number = first, first + weight - 1 do
    redis.call('zadd', places, text(endsAtMs), placeOf(id, number))
  end
end

-- Keeps a key at least as long as its last lease lasts, and a second for a clock that the server has read before.
local function keepFor(places, leaseMs)
  local leftMs = leaseMs + 1000
  if redis.call('pttl', places) < leftMs then
    redis.call('pexpire', places, text(leftMs))
  end
end

-- The first queue that waits and is not gone, its turn, and when it counts as gone; one of them may be left out.
local function firstWaiter(waiting, ends, nowMs, except)
  while true do
    local two = redis.call('zrange', waiting, 0, 1, 'withscores')
    local at = two[1] == except and 3 or 1
    local waiter = two[at]
    if not waiter then
      return nil
    end
    local endsAt = tonumber(redis.call('zscore', ends, waiter) or 0)
    if endsAt > nowMs then
      return waiter, tonumber(two[at + 1]), endsAt
    end
    redis.call('zrem', waiting, waiter)
    redis.call('zrem', ends, waiter)
  end
end

-- The number in a round behind those of all queues that wait, of any priority. Looks at the last one of each.
local function nextNumber(waiting)
  local number, upTo = 0, '+inf'
  while true do
    local last = redis.call('zrevrangebyscore', waiting, upTo, '-inf', 'withscores', 'limit', 0, 1)
    if not last[2] then
      return number
    end
    local own = last[2] % TURNS
    number, upTo = math.max(number, own + 1), '(' .. text(last[2] - own)
  end
end

-- Has a queue wait, in its turn or behind all others. Returns its turn. given: the turn it has had until now.
local function enter(waiting, ends, waiter, given, turn, from, untilMs)
  if not turn then
    redis.call('zrem', waiting, waiter)
    turn = from + nextNumber(waiting)
    given = nil
  end
  if turn ~= given then
    redis.call('zadd', waiting, text(turn), waiter)
  end
  redis.call('zadd', ends, text(untilMs + GONE_MS), waiter)
  redis.call('pexpire', waiting, KEPT_MS)
  redis.call('pexpire', ends, KEPT_MS)
  return turn
end

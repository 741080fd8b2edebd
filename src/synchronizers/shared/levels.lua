-- The generic cell rate algorithm in its form as a leaky bucket: each request adds to a level, and time drains it. A request passes if
-- the level stays within what a burst adds.
--
-- The state of a key is a text: when its levels were true, in microseconds, then the level of each limit behind its interval in
-- milliseconds. Where callers wait, the turns follow that were given back, each with its cost, and a mark
-- if it was divided among callers: `at perMs:level perMs:level|turn=cost+`.
--
-- A level has whole parts. A cell has as many parts as the interval has ticks, and each tick drains `limit` parts: nothing is ever
-- rounded. A tick is a microsecond, or a millisecond where the interval is longer than an hour. All numbers stay below 2^53.

local LONGEST_IN_MICROSECONDS_MS = 3600000

-- How many turns are kept that were given back.
local MOST_TURNS = 100

local function serverTimeUs()
  local seconds, micros = unpack(redis.call('time'))
  return seconds * 1000000 + micros
end

-- The quotient of two whole numbers, rounded down. Without `fmod` it could be rounded twice.
local function whole(dividend, divisor)
  return (dividend - math.fmod(dividend, divisor)) / divisor
end

local function upward(dividend, divisor)
  local rest = math.fmod(dividend, divisor)
  return (dividend - rest) / divisor + (rest > 0 and 1 or 0)
end

-- Reads the levels that a key has now. Returns them and the text, or nothing and the error for a name that belongs to something else.
--
-- Where the server's clock was put back, nothing has drained, and the levels count from now on.
local function levelsOf(state, limits, now)
  local text = redis.call('get', state)
  local at = text and tonumber(string.match(text, '^(%d+) %d+:%d'))
  if text and not at then
    return nil, redis.error_reply('WRONGTYPE the name belongs to something that is no state of a rate limiter')
  end
  local levels = { now = now, text = text, wentBack = text and at > now }
  for i = 1, #limits, 3 do
    local limit, perMs, burst = tonumber(limits[i]), limits[i + 1], tonumber(limits[i + 2])
    local isLong = tonumber(perMs) > LONGEST_IN_MICROSECONDS_MS
    local tick, cell = isLong and 1000 or 1, isLong and tonumber(perMs) or perMs * 1000
    local level = text and tonumber(string.match(text, ' ' .. perMs .. ':(%d+)')) or 0
    if level > 0 and at < now then
      level = math.max(level - (math.floor(now / tick) - math.floor(at / tick)) * limit, 0)
    end
    levels[#levels + 1] = {
      level = level,
      limit = limit,
      perMs = perMs,
      tick = tick,
      cell = cell,
      most = burst * cell,
    }
  end
  return levels
end

-- From when on one limit lets a request of this cost pass, in microseconds.
local function ownTurn(levels, limit, cost)
  local over = limit.level + cost * limit.cell - limit.most
  if over <= 0 then
    return levels.now
  end
  return (math.floor(levels.now / limit.tick) + upward(over, limit.limit)) * limit.tick
end

-- From when on a request of this cost passes, in microseconds, and which limit lets it pass last: 0 if it passes now.
local function turnOf(levels, cost)
  local turn, last = levels.now, 0
  for i, each in ipairs(levels) do
    local own = ownTurn(levels, each, cost)
    if own > turn then
      turn, last = own, i
    end
  end
  return turn, last
end

local function add(levels, cost)
  for _, each in ipairs(levels) do
    each.level = math.max(each.level + cost * each.cell, 0)
  end
end

-- Milliseconds until no cell of a limit is used.
local function unusedIn(limit)
  return upward(upward(limit.level, limit.limit) * limit.tick, 1000)
end

-- The reply to a request: whether it passes (1), milliseconds until it does, which limit refuses it (0 for none), and its turn, if it has to
-- wait for that; then for each limit how many cells are left, and milliseconds until none is used.
local function replyOf(levels, passes, turn, refusing)
  local reply = { passes, upward(turn - levels.now, 1000), refusing, math.min(turn, 9007199254740991) }
  for _, each in ipairs(levels) do
    reply[#reply + 1] = whole(math.max(each.most - each.level, 0), each.cell)
    reply[#reply + 1] = unusedIn(each)
  end
  return reply
end

-- Keeps the levels, and turns that were given back and are still to come, for as long as they matter. The second more is for a clock
-- that the server has read before.
local function write(state, levels, turns)
  local unusedMs = 0
  for _, each in ipairs(levels) do
    unusedMs = math.max(unusedMs, unusedIn(each))
  end
  if unusedMs == 0 then
    return redis.call('unlink', state)
  end
  local words = { string.format('%.0f', levels.now) }
  for _, each in ipairs(levels) do
    words[#words + 1] = each.perMs .. ':' .. string.format('%.0f', each.level)
  end
  local text = table.concat(words, ' ')
  for i = 1, math.min(turns and #turns or 0, MOST_TURNS) do
    text = text .. string.format('|%.0f=%.0f', turns[i].turn, turns[i].cost) .. (turns[i].isDivided and '+' or '')
  end
  redis.call('set', state, text, 'px', string.format('%.0f', unusedMs + 1000))
end

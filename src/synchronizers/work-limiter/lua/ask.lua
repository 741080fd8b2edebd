-- Take places and cells for the first functions that wait in one queue of a process, one after the other, until the next one has to wait.
--
-- A queue takes its share in its turn: as many places and cells as there are, divided by the number of queues that wait. Where only the rate refuses a
-- function, its cells are reserved if their time comes soon, and it begins then.
--
-- id: that of the request, from which the names of the places are made. waiter: the queue. weights: how many places each function takes, and
-- how many cells. priority: of all of them. enters: 1 if what is left waits on. aheadMs: for how long ahead cells are reserved. concurrency: how many places
-- there are. limits: for each how many cells, in how many milliseconds, and how many at once.
-- Returns {milliseconds until it is worth asking again, 1 if only a rate refuses the next one, then for each function that may begin in how many
-- milliseconds}.

local places, rate, waiting, ends, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id, waiter, weights, priority, enters, leaseMs, aheadMs, concurrency, limits, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11]

-- Whole numbers are exact up to this one.
local LARGEST = 2 ^ 53

local remembered = redis.call('get', request)
if remembered then
  local reply = { 0, 0 }
  for i, number in ipairs(wordsIn(string.match(remembered, '^%d.*') or '')) do
    reply[i] = tonumber(number)
  end
  return reply
end

local now = serverTimeUs()
local nowMs = math.floor(now / 1000)
sweep(places, nowMs)

-- An earlier copy of the request has run if its places are there. Returns the reply of that, as far as they tell it.
local function replyBefore()
  local reply, first = { 0, 0 }, 1
  for weight in string.gmatch(weights, '%d+') do
    local endsAt = redis.call('zscore', places, placeOf(id, first))
    if not endsAt then
      break
    end
    reply[#reply + 1], first = math.max(endsAt - leaseMs - nowMs, 0), first + weight
  end
  return reply
end

if tonumber(rememberMs) > 0 then
  local reply = replyBefore()
  if #reply > 2 then
    remember(request, table.concat(reply, ' '), rememberMs)
    return reply
  end
end

local levels, refusal = { now = now }, nil
if limits ~= '' then
  levels, refusal = levelsOf(rate, wordsIn(limits), now)
end
if refusal then
  return refusal
end

-- A queue keeps its number in the round until a function of it has begun, whatever its priority is. One that is new comes last.
local from = -priority * TURNS
local last = from + TURNS
local other, otherTurn, otherEndsAt, given
if redis.call('exists', waiting) == 1 then
  other, otherTurn, otherEndsAt = firstWaiter(waiting, ends, nowMs, waiter)
  given = tonumber(redis.call('zscore', waiting, waiter) or nil)
end
local turn = given and from + given % TURNS or last

-- How many places and cells this queue takes at most while another one of its priority waits; a function that needs more begins alone.
local function shareOf()
  if not other or otherTurn >= last then
    return math.huge
  end
  local most, queues = tonumber(concurrency), redis.call('zcount', waiting, text(from), '(' .. text(last))
  for _, each in ipairs(levels) do
    most = math.min(most, whole(each.most + whole(aheadMs * 1000, each.tick) * each.limit, each.cell))
  end
  return math.ceil(most / math.max(queues, 2))
end

-- In how many milliseconds it is worth asking, if cells come at this time: so late that there are some to reserve, and early enough for messages.
local function asksIn(passesAt)
  return upward(math.max(passesAt - now - aheadMs * 500, 0), 1000)
end

local function isExact(weight)
  for _, each in ipairs(levels) do
    if each.level + weight * each.cell > LARGEST then
      return false
    end
  end
  return true
end

local used, share, first = redis.call('zcard', places), shareOf(), 1
local retryMs, byRate, isLeft = 0, 0, false
local begins = {}
for weight in string.gmatch(weights, '%d+') do
  weight = tonumber(weight)
  if #begins > 0 and first - 1 + weight > share then
    turn = last
  end
  local passesAt = turnOf(levels, weight)
  if other and otherTurn < turn then
    isLeft, retryMs = true, math.max(math.min(otherEndsAt - nowMs + 1, LOOK_MS), asksIn(passesAt))
  elseif used + weight > tonumber(concurrency) then
    local ownEndIn = #begins > 0 and tonumber(leaseMs) or math.huge
    isLeft, retryMs = true, math.max(math.min(nextEndIn(places, nowMs), ownEndIn, LOOK_MS), asksIn(passesAt))
  elseif passesAt > now + aheadMs * 1000 or (passesAt > now and not isExact(weight)) then
    isLeft, retryMs, byRate = true, math.max(asksIn(passesAt), 1), 1
  end
  if isLeft then
    break
  end
  add(levels, weight)
  begins[#begins + 1] = { at = passesAt, first = first, weight = weight }
  used, first = used + weight, first + weight
end
turn = #begins > 0 and last or turn

-- The cells come before the places: where a script fails, only the cells of places that are there are given back.
if #levels > 0 and (#begins > 0 or levels.wentBack) then
  write(rate, levels)
end
local reply = {}
for _, each in ipairs(begins) do
  local atMs = each.at > now and upward(each.at, 1000) or nowMs
  lend(places, id, each.first, each.weight, atMs + leaseMs)
  reply[#reply + 1] = upward(each.at - now, 1000)
end
if #begins > 0 then
  keepFor(places, leaseMs + aheadMs)
end
if isLeft and enters == '1' then
  retryMs = math.min(retryMs, LONGEST_WAIT_MS)
  turn = enter(waiting, ends, waiter, given, turn < last and turn or nil, from, nowMs + retryMs)
elseif given then
  redis.call('zrem', waiting, waiter)
  redis.call('zrem', ends, waiter)
  turn = math.huge
end
-- Another one is the first now.
local isMoved = #begins > 0 or (given and turn ~= given)
if isMoved and other and otherTurn < turn and used < tonumber(concurrency) then
  local isGoneAt = callFirst(publish, channel, ends, other, otherEndsAt, nowMs, asksIn(turnOf(levels, 1)))
  retryMs = byRate == 1 and retryMs or math.min(retryMs, isGoneAt - nowMs + 1)
end
table.insert(reply, 1, retryMs)
table.insert(reply, 2, byRate)
remember(request, table.concat(reply, ' '), rememberMs)
return reply

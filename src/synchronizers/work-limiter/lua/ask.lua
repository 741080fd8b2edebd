-- Take places and cells for the first functions that wait in one queue of a process, one after the other, until the next one has to wait.
--
-- id: that of the request, from which the names of the places are made. waiter: the queue. weights: how many places each function takes, and
-- how many cells. priority: of all of them. enters: 1 if what is left waits on. concurrency: how many places there are. limits: for each how many cells,
-- in how many milliseconds, and how many at once.
-- Returns {how many functions may begin, milliseconds until it is worth asking again, 1 if only a rate refuses the next one}.

local places, rate, waiting, ends, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id, waiter, weights, priority, enters, leaseMs, concurrency, limits, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]

local remembered = redis.call('get', request)
if remembered then
  local granted, retryMs, byRate = string.match(remembered, '^(%d+) (%d+) (%d)$')
  return { tonumber(granted or 0), tonumber(retryMs or 0), tonumber(byRate or 0) }
end

local now = serverTimeUs()
local nowMs = math.floor(now / 1000)
sweep(places, nowMs)

-- An earlier copy of the request has run if its places are there. Returns to how many functions it has given theirs.
local function grantedBefore()
  local granted, first = 0, 1
  for weight in string.gmatch(weights, '%d+') do
    if not redis.call('zscore', places, placeOf(id, first)) then
      break
    end
    granted, first = granted + 1, first + weight
  end
  return granted
end

if tonumber(rememberMs) > 0 then
  local granted = grantedBefore()
  if granted > 0 then
    remember(request, granted .. ' 0 0', rememberMs)
    return { granted, 0, 0 }
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

local used, granted, first = redis.call('zcard', places), 0, 1
local retryMs, byRate, isLeft = 0, 0, false
for weight in string.gmatch(weights, '%d+') do
  weight = tonumber(weight)
  local passesAt = turnOf(levels, weight)
  local rateMs = upward(passesAt - now, 1000)
  if other and otherTurn < turn then
    isLeft, retryMs = true, math.max(math.min(otherEndsAt - nowMs + 1, LOOK_MS), rateMs)
  elseif used + weight > tonumber(concurrency) then
    local ownEndIn = granted > 0 and tonumber(leaseMs) or math.huge
    isLeft, retryMs = true, math.max(math.min(nextEndIn(places, nowMs), ownEndIn, LOOK_MS), rateMs)
  elseif rateMs > 0 then
    isLeft, retryMs, byRate = true, rateMs, 1
  end
  if isLeft then
    break
  end
  add(levels, weight)
  used, granted, first, turn = used + weight, granted + 1, first + weight, last
end

-- The cells come before the places: where a script fails, only the cells of places that are there are given back.
if #levels > 0 and (granted > 0 or levels.wentBack) then
  write(rate, levels)
end
if granted > 0 then
  lend(places, id, 1, first - 1, nowMs + leaseMs)
  keepFor(places, leaseMs)
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
local isMoved = granted > 0 or (given and turn ~= given)
if isMoved and other and otherTurn < turn and used < tonumber(concurrency) then
  callFirst(publish, channel, ends, other, otherEndsAt, nowMs, upward(turnOf(levels, 1) - now, 1000))
end
remember(request, granted .. ' ' .. retryMs .. ' ' .. byRate, rememberMs)
return { granted, retryMs, byRate }

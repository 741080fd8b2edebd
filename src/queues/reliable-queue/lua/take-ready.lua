-- Deliver messages, each under a lease: those that are ready, in the order of their priorities and ids.
--
-- count: how many at most. Together they have no more than a megabyte, unless it is one. leaseMs: how long a lease lasts. most: see fail(). places: see enter(). space: see announce(). rate: limits of the queue and of its
-- groups, each as an interval and a burst or two zeros, and whether others share them (1); nothing if there is none.
-- undoableMs: how long it shall be known which deliveries began, so that they can be undone. attempt: the number of this copy of the request. A copy delivers what the first one has taken. What was undone delivers nothing.
-- Returns {in how many milliseconds there may be more or -1, then for each message its id, the token of the delivery, how often it has failed, its record}.

local count, leaseMs, most, places, space, rate, undoableMs, publish, attempt, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]

-- How many bytes the records of one take have together. All leases begin before the first of them is sent.
local MOST_BYTES = 1000000

-- How many of the first records one take delivers: at least one.
local function fitting(bodies, size)
  local bytes = 0
  for i = 1, size do
    bytes = bytes + #(bodies[i] or '')
    if i > 1 and bytes > MOST_BYTES then
      return i - 1
    end
  end
  return size
end

-- Makes ready again what was popped, after that many.
local function putBack(popped, size)
  local rest = {}
  for i = 2 * size + 1, #popped, 2 do
    rest[#rest + 1], rest[#rest + 2] = popped[i + 1], popped[i]
  end
  redis.call('zadd', ready, unpack(rest))
end

-- Keeps which deliveries belong to the request, and for which of its copies: see take.lua.
local function keep(deliveries)
  local keptMs = #deliveries > 0 and undoableMs or rememberMs
  redis.call('set', request, attempt .. '\n' .. table.concat(deliveries, ' '), 'px', keptMs)
end

-- Delivers what is ready. Returns the reply; then how many were taken, and whether more were ready that have too many bytes.
local function deliverReady(now, soonest)
  local answer = { soonest }
  local popped = redis.call('zpopmin', ready, count)
  local found = #popped / 2
  if found == 0 then
    redis.call('hlen', records) -- refuses what is no queue
    if attempt ~= '1' then
      keep({}) -- an earlier copy that comes late would take messages without a caller
    end
    return answer, 0, false
  end
  local ids, counters = {}, {}
  for i = 1, found do
    ids[i], counters[i] = popped[2 * i - 1], 'f' .. popped[2 * i - 1]
  end
  local bodies, failures = redis.call('hmget', records, unpack(ids)), redis.call('hmget', facts, unpack(counters))
  local size = fitting(bodies, found)
  if size < found then
    putBack(popped, size)
  end
  local token = newNumbers(size) - size
  local members, names = {}, {}
  for i = 1, size do
    local id = ids[i]
    if bodies[i] then
      local at = #answer
      answer[at + 1], answer[at + 2] = id, token + i
      answer[at + 3], answer[at + 4] = tonumber(failures[i] or 0), bodies[i]
      names[#names + 1] = id .. ' ' .. string.format('%.0f', token + i)
      members[#members + 1] = now + leaseMs
      members[#members + 1] = names[#names]
    end
  end
  if #names > 0 then
    redis.call('zadd', leases, unpack(members))
  end
  if #names > 0 or attempt ~= '1' then
    keep(names)
  end
  if found == tonumber(count) or size < found then
    answer[1] = 0
  elseif soonest < 0 or soonest > tonumber(leaseMs) then
    answer[1] = tonumber(leaseMs) -- these deliveries may be the first to end
  end
  return answer, size, size < found
end

local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('zrange', delayed, 0, 0, 'withscores')[2] or math.huge
local ends = redis.call('zrange', leases, 0, 0, 'withscores')[2] or math.huge
local soonest = math.min(tonumber(due), tonumber(ends)) - now

-- The ordinary way: nothing is due, no rate is limited, and no copy has come before.
if rate == '' and soonest > 0 and redis.call('exists', request) == 0 then
  return (deliverReady(now, soonest < math.huge and soonest or -1))
end

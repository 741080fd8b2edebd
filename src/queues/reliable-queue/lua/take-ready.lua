-- Deliver messages, each under a lease: those that are ready, in the order of their priorities and ids.
--
-- count: how many at most. leaseMs: how long a lease lasts. most: see fail(). places: see enter(). space: see announce(). rate: limits of the queue and of its
-- groups, each as an interval and a burst or two zeros, and whether others share them (1); nothing if there is none.
-- A copy of the request delivers what the first one has taken. What was undone delivers nothing.
-- Returns {in how many milliseconds there may be more or -1, then for each message its id, the token of the delivery, how often it has failed, its record}.

local count, leaseMs, most, places, space, rate, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

-- Delivers what is ready. Returns the reply; then how many were taken.
local function deliverReady(now, soonest)
  local answer = { soonest }
  local taken = redis.call('zpopmin', ready, count)
  local size = #taken / 2
  if size == 0 then
    redis.call('hlen', records) -- refuses what is no queue
    return answer, 0
  end
  local ids, counters = {}, {}
  for i = 1, size do
    ids[i], counters[i] = taken[2 * i - 1], 'f' .. taken[2 * i - 1]
  end
  local bodies, failures = redis.call('hmget', records, unpack(ids)), redis.call('hmget', facts, unpack(counters))
  local token = newNumbers(size) - size
  local members, names = {}, {}
  for i, id in ipairs(ids) do
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
    redis.call('set', request, table.concat(names, ' '), 'px', rememberMs)
  end
  if size == tonumber(count) then
    answer[1] = 0
  elseif soonest < 0 or soonest > tonumber(leaseMs) then
    answer[1] = tonumber(leaseMs) -- these deliveries may be the first to end
  end
  return answer, size
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

-- Deliver messages, each under a lease: those that are ready, in the order of their priorities and ids.
--
-- count: how many at most. leaseMs: how long a lease lasts. most: see fail(). places: see enter().
-- A copy of the request delivers what the first one has taken. What was undone delivers nothing.
-- Returns {in how many milliseconds there may be more or -1, then for each message its id, the token of the delivery, how often it has failed, its record}.

local request = KEYS[10]
local count, leaseMs, most, places, publish, rememberMs =
  tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], ARGV[6]

local now = serverTimeMs()

-- Adds a delivery to the reply, unless the message is gone. Returns whether it is there.
local answer = {}
local function deliver(id, token, record, failures)
  if not record then
    return false
  end
  local at = #answer
  answer[at + 1], answer[at + 2], answer[at + 3], answer[at + 4] = id, token, tonumber(failures or 0), record
  return true
end

local remembered = redis.call('get', request)
if remembered then
  answer[1] = -1
  for id, token in string.gmatch(remembered, '(%d+) (%d+)') do
    if redis.call('zscore', leases, id .. ' ' .. token) then
      deliver(id, tonumber(token), redis.call('hget', records, id), redis.call('hget', facts, 'f' .. id))
    end
  end
  return answer
end

-- What is due comes before what is ready: it may have a higher priority.
local soonest = nextIn(now)
local added = 0
if soonest == 0 then
  added = promote(now, places) + sweep(now, most, places)
  soonest = nextIn(now)
end

answer[1] = soonest
local taken = redis.call('zpopmin', ready, count)
local size = #taken / 2
if size == 0 then
  redis.call('hlen', records) -- refuses what is no queue
  return answer
end

local ids, counters = {}, {}
for i = 1, size do
  local id = taken[2 * i - 1]
  ids[i], counters[i] = id, 'f' .. id
end
local bodies, failures = redis.call('hmget', records, unpack(ids)), redis.call('hmget', facts, unpack(counters))
local token = newNumbers(size) - size
local members, names = {}, {}
for i, id in ipairs(ids) do
  if deliver(id, token + i, bodies[i], failures[i]) then
    names[#names + 1] = id .. ' ' .. string.format('%.0f', token + i)
    members[#members + 1] = now + leaseMs
    members[#members + 1] = names[#names]
  end
end
if #names > 0 then
  redis.call('zadd', leases, unpack(members))
  remember(request, table.concat(names, ' '), rememberMs)
end
if size == count then
  answer[1] = 0
end
if added > size then
  tell(publish, channel, added - size)
end
return answer

-- Acknowledge what subscribers have done, and read what comes next for each of them.
--
-- The messages that are read stay where they are: a lost reply loses none. The first of them is marked as delivered, and how often.
-- most: how many messages are read in all, besides one for each place. rows: seven values for each subscriber. name, lease: see subscribe. expected: where the
-- reader has left the subscriber; upTo: the last message that it has done since, or empty. count: how many messages are read at most; 0 for none. known: the last
-- message that a listener got, or empty; calls: how often one got it. A read marks one delivery more, so that one that arrives late counts nothing.
-- Returns {outcomes, batches}. Each subscriber has four values among the outcomes: 1, where it is, how often the first message was delivered, and the number of
-- its batch, or 0 for none. The first is 0 without a group, and -1 if the process is not active any more. A batch is {id, message, ...}, for all subscribers
-- at one place.

local stream, timeouts = KEYS[1], KEYS[2]
local most, rows = ARGV[1], restOf(ARGV, 2)

local now = serverTimeMs()
local swept = sweep(stream, timeouts, now)
local groups = groupsOf(stream)

-- What is published has one field; of what another program has added, there may be no message.
local function messageIn(fields)
  for place = 1, #fields, 2 do
    if fields[place] == 'm' then
      return fields[place + 1]
    end
  end
  return false
end

local batches = {}
local numbers = {}
local left = tonumber(most)

-- Reads what follows a place, once. Returns the number of that batch, or 0 if there is no message.
local function batchAfter(place, count)
  if numbers[place] then
    return numbers[place]
  end
  local batch = {}
  local atMost = math.max(1, math.min(count, left))
  for _, entry in ipairs(redis.call('xrange', stream, after(place), '+', 'count', atMost)) do
    batch[#batch + 1] = entry[1]
    batch[#batch + 1] = messageIn(entry[2])
    left = left - 1
  end
  if #batch > 0 then
    batches[#batches + 1] = batch
  end
  numbers[place] = #batch > 0 and #batches or 0
  return numbers[place]
end

-- Marks a message as delivered. Returns how often it was, with this time.
local function deliver(name, id, calls)
  local mark = redis.call('xpending', stream, name, id, id, 1)[1]
  local deliveries = math.max(mark and mark[4] or 0, calls + 1)
  redis.call('xclaim', stream, name, 'consumer', 0, id, 'force', 'retrycount', deliveries, 'justid')
  return deliveries
end

local byName = {}
for _, group in ipairs(groups) do
  byName[group.name] = group
end

local outcomes = {}
local hasMoved = false
for row = 1, #rows, 7 do
  local name, lease, expected, upTo = rows[row], rows[row + 1], rows[row + 2], rows[row + 3]
  local group = byName[name]
  local status = 1
  if not group then
    status = 0
  elseif lease ~= '' and not redis.call('zscore', timeouts, lease) then
    status = -1
  elseif acknowledge(stream, group, expected, upTo) then
    hasMoved = true
  end
  local place = status == 1 and group['last-delivered-id'] or ''
  for _, value in ipairs({ status, place, 0, 0 }) do
    outcomes[#outcomes + 1] = value
  end
end

if hasMoved or swept > 0 then
  trim(stream, now, groups)
end

for row = 1, #rows, 7 do
  local name, count, known, calls = rows[row], tonumber(rows[row + 4]), rows[row + 5], tonumber(rows[row + 6])
  local outcome = (row - 1) / 7 * 4
  local number = outcomes[outcome + 1] == 1 and count > 0 and batchAfter(outcomes[outcome + 2], count) or 0
  if number > 0 then
    local head = batches[number][1]
    outcomes[outcome + 3] = deliver(name, head, head == known and calls or 0)
    outcomes[outcome + 4] = number
  end
end
return { outcomes, batches }

-- The rest of `take-ready.lua`: messages are due, deliveries have ended, their rate is limited, or it is a copy.
local remembered = redis.call('get', request)
if remembered then
  -- The caller of a later copy has had no reply, so a delivery that is not there has ended by its time. An earlier copy comes late: its caller may have
  -- had the reply to a later one, and the delivery may have failed. After what was undone none is later.
  local isLater = tonumber(attempt) > tonumber(string.match(remembered, '^%d+') or math.huge)
  local answer, held, ended, added = { nextIn(now) }, {}, 0, 0
  for id, token in string.gmatch(remembered, '(%d+) (%d+)') do
    local delivery = id .. ' ' .. token
    local isHeld = redis.call('zscore', leases, delivery)
    local record = isHeld and redis.call('hget', records, id)
    if record then
      local at = #answer
      answer[at + 1], answer[at + 2] = id, tonumber(token)
      answer[at + 3], answer[at + 4] = tonumber(redis.call('hget', facts, 'f' .. id) or 0), record
      held[#held + 1] = delivery
    elseif not isHeld and isLater then
      ended = ended + 1
      added = added + forgive(id, token, tonumber(places))
    end
  end
  if isLater then
    redis.call('del', request) -- Redis refuses no write for want of memory after one that needs none
    keep(held)
    announce(publish, space, added)
  end
  if ended > 0 or #held == 0 then
    answer[1] = 0
  end
  return answer
end

-- Delays messages that come too early for their groups, until that many are left at the head which may be delivered now, or as many as one take
-- delivers, or none is. They are due in their turn, and keep their places. Returns how many may be delivered, and whether there may be more behind.
local function delayEarly(moment, limit, wanted)
  local admitted, passed, bytes, early = 0, 0, 0, {}
  while admitted < wanted and passed < MOST_DUE do
    local id = redis.call('zrange', ready, admitted, admitted)[1]
    local record = id and redis.call('hget', records, id)
    if not id then
      return admitted, false
    end
    if admitted > 0 and bytes + #(record or '') > MOST_BYTES then
      return admitted, true
    end
    local priority, _, group = attributesOf(record or '')
    local free, waitMs = 1, 0
    if group ~= '' then
      free, waitMs = freeOf(group, moment, limit)
    end
    if free > 0 then
      admitted = admitted + 1
      bytes = bytes + #(record or '')
      if group ~= '' then
        use(group, moment, limit, 1)
      end
    else
      early[group] = (early[group] or -1) + 1
      passed = passed + 1
      redis.call('zrem', ready, id)
      redis.call('zadd', delayed, math.ceil(moment + waitMs + early[group] * limit.interval), delayedEntry(id, priority, '+', group))
    end
  end
  return admitted, admitted < wanted
end

-- In how many milliseconds the queue may deliver again. Several deliveries at once, where a burst allows them, cost less than one by one.
local function nextTurn(moment, limit)
  local _, waitMs = freeOf('', moment, limit)
  return math.ceil(math.max(waitMs, math.min(20, (limit.burst - 1) * limit.interval)))
end

-- Delivers as many as the rates let begin. Returns the reply; then how many were taken, or more where others cannot be delivered yet.
local function deliverLimited(moment)
  local interval, burst, groupInterval, groupBurst, shared = string.match(rate, '^(%S+) (%S+) (%S+) (%S+) (%S+)$')
  local whole, each = limitOf(interval, burst), limitOf(groupInterval, groupBurst)
  local asked = tonumber(count)
  if whole then
    count = math.min(asked, (freeOf('', moment, whole)))
  end
  local wanted, hasMore = tonumber(count), false
  if each then
    redis.call('zcard', rates) -- refuses what is no rates, before anything is moved
    count, hasMore = delayEarly(moment, each, wanted)
  end
  local answer, size, isCut = deliverReady(now, -1)
  if whole and #answer > 1 then
    use('', moment, whole, (#answer - 1) / 4)
  end
  tidy(moment, shared == '1')
  if size == asked or hasMore or isCut then
    answer[1] = 0
    return answer, size
  end
  answer[1] = nextIn(now)
  if whole and size == wanted and redis.call('exists', ready) == 1 then
    local turnMs = nextTurn(moment, whole)
    answer[1] = answer[1] < 0 and turnMs or math.min(answer[1], turnMs)
  end
  return answer, math.huge
end

-- What is due comes before what is ready: it may have a higher priority.
local added = promote(now, tonumber(places)) + sweep(now, tonumber(most), tonumber(places))
local answer, size
if rate == '' then
  answer, size = deliverReady(now, nextIn(now))
else
  answer, size = deliverLimited(time[1] * 1000 + time[2] / 1000)
end
announce(publish, space, added - size)
return answer

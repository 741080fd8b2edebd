-- Give places back, as far as they are taken still.
--
-- id, first, count: which places of a request. waiter: a queue of the same process, which needs no message; empty for none.
-- refund: 1 if nothing has begun by them, so that their cells are given back as well. leaseMs: for how long they were taken.
-- undoneMs: for how long no copy of the request may take anything from now on; 0 where it has its reply.
-- Returns {how many were taken, 1 if that queue may ask now}.

local places, rate, waiting, ends, channel, resets, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local id, first, count, waiter, refund, leaseMs, limits, undoneMs, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]

remember(request, 'undone', undoneMs)
local now = serverTimeUs()
local nowMs = math.floor(now / 1000)

-- Takes what has not drained since off the levels, unless a reset has forgotten it.
local function giveCellsBack(cells, takenAtMs)
  if takenAtMs <= tonumber(redis.call('get', resets) or 0) then
    return nil
  end
  local levels, refusal = levelsOf(rate, wordsIn(limits), now)
  if refusal or not levels.text or levels.wentBack then
    return refusal
  end
  for _, each in ipairs(levels) do
    local drained = (math.floor(now / each.tick) - math.floor(takenAtMs * 1000 / each.tick)) * each.limit
    each.level = math.max(each.level - math.max(cells * each.cell - drained, 0), 0)
  end
  write(rate, levels)
end

local freed, endsAt = 0, nil
for number = tonumber(first), first + count - 1 do
  local place = placeOf(id, number)
  endsAt = refund == '1' and redis.call('zscore', places, place) or endsAt
  freed = freed + redis.call('zrem', places, place)
end
if freed > 0 and endsAt and limits ~= '' then
  local refusal = giveCellsBack(freed, endsAt - leaseMs)
  if refusal then
    return refusal
  end
end
local next, _, nextEndsAt = firstWaiter(waiting, ends, nowMs, nil)
if freed > 0 and next and next ~= waiter then
  if refund == '1' then
    callFirst(publish, channel, ends, next, nextEndsAt, nowMs, 0)
  else
    tell(publish, channel, next .. ' ')
  end
end
return { freed, next == waiter and 1 or 0 }

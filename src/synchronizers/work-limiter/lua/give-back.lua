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

-- Takes off the levels what has not drained of cells whose time was this. They stay used if a reset has forgotten them; and those of a limit, if the
-- time behind them is reserved.
local function giveCellsBack(levels, cells, atMs)
  if atMs <= levels.resetMs then
    return
  end
  for _, each in ipairs(levels) do
    local last = ownTurn(levels, each, 0)
    if last <= now or last <= atMs * 1000 then
      local ticks = math.floor(now / each.tick) - math.floor(atMs * 1000 / each.tick)
      local drained = math.max(ticks, 0) * each.limit
      each.level = math.max(each.level - math.max(cells * each.cell - drained, 0), 0)
    end
  end
end

-- The functions of a request that begin at the same time, the last of them first: each with this time and its number of cells.
local freed, taken = 0, {}
for number = first + count - 1, tonumber(first), -1 do
  local place = placeOf(id, number)
  local endsAt = refund == '1' and redis.call('zscore', places, place)
  if endsAt and taken[#taken] and taken[#taken].endsAt == endsAt then
    taken[#taken].cells = taken[#taken].cells + 1
  elseif endsAt then
    taken[#taken + 1] = { endsAt = endsAt, cells = 1 }
  end
  freed = freed + redis.call('zrem', places, place)
end
if #taken > 0 and limits ~= '' then
  local levels, refusal = levelsOf(rate, wordsIn(limits), now)
  if refusal then
    return refusal
  end
  levels.resetMs = tonumber(redis.call('get', resets) or 0)
  for _, each in ipairs(levels.text and not levels.wentBack and taken or {}) do
    giveCellsBack(levels, each.cells, each.endsAt - leaseMs)
  end
  if levels.text and not levels.wentBack then
    write(rate, levels)
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

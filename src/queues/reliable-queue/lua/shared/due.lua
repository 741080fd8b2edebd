-- How many messages one script moves that are due.
local MOST_DUE = 1000

-- Makes messages ready that are due. Returns how many are ready by this.
local function promote(now, places)
  local due = redis.call('zrangebyscore', delayed, '-inf', now, 'limit', 0, MOST_DUE)
  if #due == 0 then
    return 0
  end
  redis.call('zrem', delayed, unpack(due))
  local plain, added = {}, 0
  for _, entry in ipairs(due) do
    local id, priority, mark, group = string.match(entry, '^(%d+) (-?%d+) ([+-])(.*)$')
    if id and mark == '-' then
      added = added + enter(id, tonumber(priority), group, places)
    else
      plain[#plain + 1] = id and -priority or 0
      plain[#plain + 1] = id or entry
    end
  end
  if #plain > 0 then
    redis.call('zadd', ready, unpack(plain))
  end
  return added + #plain / 2
end

-- Ends deliveries whose time is over. Returns how many messages are ready by this.
local function sweep(now, most, places)
  local added = 0
  local how = { reason = OVERDUE, delayMs = 0, most = most, now = now, places = places }
  for _, delivery in ipairs(redis.call('zrangebyscore', leases, '-inf', now, 'limit', 0, MOST_DUE)) do
    redis.call('zrem', leases, delivery)
    added = added + fail(string.sub(delivery, 1, 16), how)
  end
  return added
end

-- In how many milliseconds the next message is due, or the next delivery ends; -1 if none does.
local function nextIn(now)
  local soonest = math.huge
  for _, moments in ipairs({ delayed, leases }) do
    soonest = math.min(soonest, tonumber(redis.call('zrange', moments, 0, 0, 'withscores')[2] or soonest))
  end
  return soonest == math.huge and -1 or math.max(soonest - now, 0)
end

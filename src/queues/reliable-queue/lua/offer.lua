-- The rest of `offer-ready.lua`: more messages, or others than those that are ready at once.
delayMs, priority, dedupMs = tonumber(delayMs), tonumber(priority), tonumber(dedupMs)
capacity, places = tonumber(capacity), tonumber(places)

-- The message that a deduplication belongs to, as long as it lasts.
local function duplicate(now)
  for _, ended in ipairs(redis.call('zrangebyscore', dedups, '-inf', now, 'limit', 0, 100)) do
    redis.call('zrem', dedups, ended)
    redis.call('hdel', facts, 'd' .. ended)
  end
  local id, timed = string.match(redis.call('hget', facts, 'd' .. dedup) or '', '^(%d+)(%a*)$')
  if timed == '' then
    return redis.call('hexists', records, id) == 1 and id or nil
  end
  return id and tonumber(redis.call('zscore', dedups, dedup) or 0) > now and id or nil
end

local now = (delayMs > 0 or dedup ~= '') and serverTimeMs() or 0
local isReplaced, added = false, 0
if dedup ~= '' then
  local id = duplicate(now)
  if id and dedupMode == 'drop' then
    return -tonumber(id)
  end
  local record = id and redis.call('hget', records, id)
  if record then
    isReplaced, added = withdraw(id, record, places)
  end
  if isReplaced then
    finish(id, '', '', places)
  end
end
local isBounded = capacity > 0 and not isReplaced
if isBounded and redis.call('hlen', records) - redis.call('zcard', dead) + #bodies > capacity then
  return 0
end

redis.call('hlen', records) -- refuses what is no queue
local last = newNumbers(#bodies)
local first = last - #bodies
local messages, entries = {}, {}
for i, body in ipairs(bodies) do
  local id = string.format('%.0f', first + i)
  messages[2 * i - 1], messages[2 * i] = id, body
  entries[2 * i - 1], entries[2 * i] = delayMs > 0 and now + delayMs or -priority, id
end
inParts(messages, function(...)
  redis.call('hset', records, ...)
end)

if delayMs > 0 then
  for i = 2, #entries, 2 do
    entries[i] = delayedEntry(entries[i], priority, '-', group)
  end
  inParts(entries, function(...)
    redis.call('zadd', delayed, ...)
  end)
  added = added + (redis.call('zrange', delayed, 0, 0)[1] == entries[2] and 1 or 0)
elseif group ~= '' and places > 0 then
  for i = 2, #entries, 2 do
    added = added + enter(entries[i], priority, group, places)
  end
else
  inParts(entries, function(...)
    redis.call('zadd', ready, ...)
  end)
  added = added + #bodies
end

if dedup ~= '' then
  local id = string.format('%.0f', last)
  redis.call('hset', facts, 'd' .. dedup, dedupMs > 0 and id .. 'timed' or id)
  if dedupMs > 0 then
    redis.call('zadd', dedups, now + dedupMs, dedup)
  else
    redis.call('zrem', dedups, dedup)
  end
end
if added > 0 then
  tell(publish, channel, added)
end
return last

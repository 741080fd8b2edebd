-- Ends a delivery that has failed: the message comes again, or is a dead letter. One that was cancelled does not come again.
--
-- how: reason, delayMs, isFinal, most (deliveries, where the message does not say), now, places.
-- Returns how many messages are ready by this.
local function fail(id, how)
  local record = redis.call('hget', records, id)
  if not record then
    return 0
  end
  local priority, most, group, dedup = attributesOf(record)
  if redis.call('hexists', facts, 'c' .. id) == 1 then
    return finish(id, group, dedup, how.places)
  end
  local failures = redis.call('hincrby', facts, 'f' .. id, 1)
  if how.isFinal or failures >= (most or how.most) then
    redis.call('zadd', dead, how.now, id)
    redis.call('hset', facts, 'r' .. id, how.reason)
    endDedup(id, dedup)
    room = room + 1
    return leave(group, how.places)
  end
  if how.delayMs > 0 then
    redis.call('zadd', delayed, how.now + how.delayMs, delayedEntry(id, priority, '+', group))
    return 0
  end
  makeReady(id, priority)
  return 1
end

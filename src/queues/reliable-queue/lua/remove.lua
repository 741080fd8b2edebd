-- Remove a message that waits, or a dead letter.
--
-- reason: why a message is cancelled that is being worked on; nothing if it stays. graceMs: for how long its delivery lasts then at least. cancels: the channel of
-- deliveries that are cancelled. space: the channel of those that wait for room, or nothing.
-- Returns 1 if it was removed, 2 if it was cancelled while it is worked on, otherwise 0.

local id, reason, graceMs, cancels, places, space, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local record = redis.call('hget', records, id)
if not record then
  return 0
end
local isThere, added = withdraw(id, record, tonumber(places))
if not isThere and redis.call('zrem', dead, id) == 1 then
  redis.call('hdel', records, id)
  forget(id)
  return 1
end
if isThere then
  local _, _, _, dedup = attributesOf(record)
  finish(id, '', dedup, 0)
  announce(publish, space, added)
  return 1
end
if reason == '' then
  return 0
end

local now = serverTimeMs()
for _, delivery in ipairs(redis.call('zrange', leases, 0, -1)) do
  if string.sub(delivery, 1, 16) == id then
    local _, _, _, dedup = attributesOf(record)
    endDedup(id, dedup)
    redis.call('hset', facts, 'c' .. id, reason)
    local ends = math.max(now + graceMs, tonumber(redis.call('zscore', leases, delivery)))
    redis.call('zadd', leases, ends, delivery)
    tell(publish, cancels, delivery .. ' ' .. reason)
    return 2
  end
end
return 0

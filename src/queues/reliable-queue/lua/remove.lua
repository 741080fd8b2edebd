-- Remove a message that waits, or a dead letter.
--
-- reason: why a message is cancelled that is being worked on; nothing if it stays. graceMs: for how long its delivery lasts then. cancels: the channel of
-- deliveries that are cancelled. space: the channel of those that wait for room, or nothing.
-- Returns 1 if it was removed, 2 if it was cancelled while it is worked on, otherwise 0.

local id, reason, graceMs, cancels, places, space, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local record = redis.call('hget', records, id)
if not record then
  return 0
end
local isThere, added = withdraw(id, record, tonumber(places))
if isThere then
  local _, _, _, dedup = attributesOf(record)
  finish(id, '', dedup, 0)
  if added > 0 then
    tell(publish, channel, added)
  end
  if space ~= '' then
    tell(publish, space, 1)
  end
  return 1
end
if reason == '' then
  return 0
end

local ends = serverTimeMs() + graceMs
for _, delivery in ipairs(redis.call('zrange', leases, 0, -1)) do
  if string.sub(delivery, 1, 16) == id then
    redis.call('hset', facts, 'c' .. id, reason)
    redis.call('zadd', leases, math.min(ends, tonumber(redis.call('zscore', leases, delivery))), delivery)
    tell(publish, cancels, delivery .. ' ' .. reason)
    tell(publish, channel, 1) -- those that wait look when it ends
    return 2
  end
end
return 0

-- Notes which entries were changed, where clients read that after they have missed messages, and notifies the local caches.
--
-- records: what is added to the log, each 25 bytes: the hash of a key, a colon and 8 bytes of chance; empty for nothing. message: empty for
-- nothing. A log has a record without a hash, by which it is known whether it was there all the time. Records are kept for 11 minutes.
local function tellCaches(log, records, publish, channel, message)
  local RECORD, CHANCE, KEPT_MS = 25, 8, 660000
  if records ~= '' then
    local now = serverTimeMs()
    redis.call('zremrangebyscore', log, '-inf', string.format('%.0f', now - KEPT_MS))
    if redis.call('exists', log) == 0 then
      redis.call('zadd', log, '+inf', string.rep('\0', RECORD - CHANCE - 1) .. ':' .. string.sub(records, -CHANCE))
    end
    for first = 1, #records, RECORD do
      redis.call('zadd', log, string.format('%.0f', now), string.sub(records, first, first + RECORD - 1))
    end
  end
  if message ~= '' then
    tell(publish, channel, message)
  end
end

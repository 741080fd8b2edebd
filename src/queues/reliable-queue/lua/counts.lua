-- Count the messages by where they are.
--
-- Returns {ready, delayed, in delivery, dead, waiting for a place of their group}.

local now = serverTimeMs()
redis.call('hlen', records) -- refuses what is no queue
local due, ended = redis.call('zcount', delayed, '-inf', now), redis.call('zcount', leases, '-inf', now)
return {
  redis.call('zcard', ready) + due + ended,
  redis.call('zcard', delayed) - due,
  redis.call('zcard', leases) - ended,
  redis.call('zcard', dead),
  redis.call('zcard', grouped),
}

-- Claim fields that are due to be written, for a lease, so that no other client writes them meanwhile. Those whose lease has ended are due again: the
-- token tells one claim of a field from the next.
--
-- wait: for how long a field waits at most until it is due, in milliseconds.
-- Returns how many fields are left, claimed or not, and the claimed ones, each with what is to be written.

local states, due, claimed, tokens = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local count, lease, all, token, wait = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local now = serverTimeMs()

-- What is noted for a later time than there can be, was noted before the clock was set back: it would wait until that time comes again.
local function limit(noted, latest)
  for _, field in ipairs(redis.call('zrangebyscore', noted, '(' .. latest, '+inf', 'limit', 0, 1000)) do
    redis.call('zadd', noted, latest, field)
  end
end
limit(claimed, now + lease)
limit(due, now + wait)

for _, field in ipairs(redis.call('zrangebyscore', claimed, '-inf', now, 'limit', 0, 1000)) do
  redis.call('zrem', claimed, field)
  redis.call('hdel', tokens, field)
  redis.call('zadd', due, now, field)
end
local taken = {}
local latest = all == '1' and '+inf' or now
for _, field in ipairs(redis.call('zrangebyscore', due, '-inf', latest, 'limit', 0, count)) do
  local state = redis.call('hget', states, field)
  redis.call('zrem', due, field)
  if state then
    redis.call('zadd', claimed, now + lease, field)
    redis.call('hset', tokens, field, token)
    taken[#taken + 1] = field
    taken[#taken + 1] = state
  end
end
return { redis.call('zcard', due) + redis.call('zcard', claimed), taken }

-- End the claims of fields that could not be written: they are due again after a pause. What another client has claimed meanwhile stays its own.
--
-- Returns how many are due again.

local states, due, claimed, tokens = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, pause, fields = ARGV[1], ARGV[2], restOf(ARGV, 3)

local again = 0
for _, field in ipairs(fields) do
  if owns(claimed, tokens, field, token) then
    redis.call('zrem', claimed, field)
    redis.call('hdel', tokens, field)
    if redis.call('hexists', states, field) == 1 then
      redis.call('zadd', due, serverTimeMs() + pause, field)
      again = again + 1
    end
  end
end
return again

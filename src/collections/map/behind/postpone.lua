-- End the claims of fields that could not be written: they are due again after a pause.
--
-- Returns how many there were.

local states, due, claimed = KEYS[1], KEYS[2], KEYS[3]
local pause, fields = ARGV[1], restOf(ARGV, 2)

for _, field in ipairs(fields) do
  redis.call('zrem', claimed, field)
  if redis.call('hexists', states, field) == 1 then
    redis.call('zadd', due, serverTimeMs() + pause, field)
  end
end
return #fields

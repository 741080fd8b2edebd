-- End the claims of fields that were written. Those of which something else is to be written by now are due at once. In `written` fields and what
-- was written of them alternate.
--
-- Returns how many are due again.

local states, due, claimed = KEYS[1], KEYS[2], KEYS[3]
local written = ARGV

local again = 0
for at = 1, #written, 2 do
  local field = written[at]
  local state = redis.call('hget', states, field)
  redis.call('zrem', claimed, field)
  if state == written[at + 1] then
    redis.call('hdel', states, field)
    redis.call('zrem', due, field)
  elseif state then
    redis.call('zadd', due, 'nx', serverTimeMs(), field)
    again = again + 1
  end
end
return again

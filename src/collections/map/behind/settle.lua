-- End the claims of fields that were written. Those of which something else is to be written by now are due at once. What another client has
-- claimed meanwhile stays its own. In `entries` fields and what was written of them alternate.
--
-- Returns how many are due again.

local states, due, claimed, tokens = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, entries = ARGV[1], restOf(ARGV, 2)

local again = 0
for at = 1, #entries, 2 do
  local field = entries[at]
  if owns(claimed, tokens, field, token) then
    redis.call('zrem', claimed, field)
    redis.call('hdel', tokens, field)
    local state = redis.call('hget', states, field)
    if state == entries[at + 1] then
      redis.call('hdel', states, field)
    elseif state then
      redis.call('zadd', due, serverTimeMs(), field)
      again = again + 1
    end
  end
end
return again

-- Have claims of fields last for the whole lease from now on, except those that another client has by now.
--
-- Returns how many are claimed still.

local claimed, tokens = KEYS[1], KEYS[2]
local token, lease, fields = ARGV[1], ARGV[2], restOf(ARGV, 3)

local ends = serverTimeMs() + lease
local left = 0
for _, field in ipairs(fields) do
  if owns(claimed, tokens, field, token) then
    redis.call('zadd', claimed, ends, field)
    left = left + 1
  end
end
return left

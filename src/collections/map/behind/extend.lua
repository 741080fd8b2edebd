-- Have claims of fields last for the whole lease from now on.
--
-- Returns how many are claimed still.

local claimed = KEYS[1]
local lease, fields = ARGV[1], restOf(ARGV, 2)

local ends = serverTimeMs() + lease
local left = 0
for _, field in ipairs(fields) do
  if redis.call('zscore', claimed, field) then
    redis.call('zadd', claimed, ends, field)
    left = left + 1
  end
end
return left

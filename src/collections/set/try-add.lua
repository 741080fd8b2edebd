-- Add all values to a set if none of them is there.
--
-- Returns 1 if they were added, otherwise 0.

local set = KEYS[1]
local values = ARGV

for _, value in ipairs(values) do
  if redis.call('sismember', set, value) == 1 then
    return 0
  end
end
inParts(values, function(...)
  redis.call('sadd', set, ...)
end)
return 1

-- Set values, and replace existing ones.
--
-- Returns how many there are.

local buckets = KEYS
local values = ARGV

for place, bucket in ipairs(buckets) do
  redis.call('set', bucket, values[place])
end
return #buckets

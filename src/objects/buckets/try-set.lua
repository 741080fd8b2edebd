-- Set values if there is nothing at any of the keys.
--
-- Returns 1 if they were set, otherwise 0.

local buckets = KEYS
local values = ARGV

for _, bucket in ipairs(buckets) do
  if redis.call('exists', bucket) == 1 then
    return 0
  end
end
for place, bucket in ipairs(buckets) do
  redis.call('set', bucket, values[place])
end
return 1

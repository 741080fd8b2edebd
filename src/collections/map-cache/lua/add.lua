-- Add to the number that a field has. When it ends stays as it is. A field without a value begins at 0.
--
-- scratch: where the sum is made; it is gone at the end. Returns the sum.

local publish, delta, field = ARGV[1], ARGV[2], ARGV[3]
publishing = publish

local before, idleMs = find(field)
redis.call('set', scratch, before or '0')
local sum = redis.pcall('incrbyfloat', scratch, delta)
redis.call('del', scratch)
if type(sum) ~= 'string' then
  return sum
end
if before then
  store(field, sum, nil, idleMs, before)
else
  store(field, sum, 0, 0)
end
return sum

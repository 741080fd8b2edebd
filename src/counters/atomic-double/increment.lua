-- Add to a counter within bounds, each of which is empty for none.
--
-- saturate: whether the bound itself is set where the sum would be beyond it. expiry: see applyExpiry(). Returns the text of the value
-- afterwards.

local counter = KEYS[1]
local delta, lower, upper, saturate, expiry, time, ifNotSet =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local before = redis.call('get', counter)
local sum = redis.pcall('incrbyfloat', counter, delta)
if type(sum) == 'table' and sum.err then
  return sum
end

local bound
if upper ~= '' and tonumber(sum) > tonumber(upper) then
  bound = upper
elseif lower ~= '' and tonumber(sum) < tonumber(lower) then
  bound = lower
end

if bound and saturate == '0' then
  if before then
    redis.call('set', counter, before, 'keepttl')
  else
    redis.call('del', counter)
  end
  return before or '0'
elseif bound then
  redis.call('set', counter, bound, 'keepttl')
end
local after = redis.call('get', counter) -- before it expires, which may be at once
applyExpiry(counter, expiry, time, ifNotSet)
return after

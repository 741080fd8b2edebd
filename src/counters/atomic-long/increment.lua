-- Add to a counter within bounds.
--
-- least, most: between which the value before has to be, so that the sum is within the bounds; empty for none. saturate: whether the
-- bound itself is set where the sum would be beyond it. expiry: see applyExpiry(). Returns the value afterwards.

local counter = KEYS[1]
local delta, least, most, lower, upper, saturate, expiry, time, ifNotSet =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]

local current, wrongType = valueAt(counter)
if wrongType then
  return wrongType
end
current = current or zero

local bound
if most ~= '' and isLess(numberOf(most), current) then
  bound = upper
elseif least ~= '' and isLess(current, numberOf(least)) then
  bound = lower
end

if bound and saturate == '0' then
  return current
elseif bound then
  redis.call('set', counter, bound, 'keepttl')
else
  local sum = redis.pcall('incrby', counter, delta)
  if type(sum) == 'table' and sum.err then
    return sum
  end
end
-- Read before it expires, which may be at once. As a number of Lua it would lose digits.
local sum = redis.call('get', counter)
applyExpiry(counter, expiry, time, ifNotSet)
return sum

-- Remove values that have ended, unless another client has done so lately.
--
-- most: how many. latchSeconds: for how long others do not, if there are any; 0 to go on. Returns how many there were, or -1.

local set, latch = KEYS[1], KEYS[2]
local publish, most, latchSeconds = ARGV[1], ARGV[2], ARGV[3]
publishing = publish

if redis.call('zcount', set, '-inf', string.format('%.0f', now)) == 0 then
  return 0
elseif latchSeconds ~= '0' and not redis.pcall('set', latch, 1, 'nx', 'ex', latchSeconds) then -- refused for want of memory, it cleans all the same
  return -1
end
return sweep(set, tonumber(most))

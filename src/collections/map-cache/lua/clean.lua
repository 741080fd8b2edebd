-- Remove entries that have expired, unless another client has done so lately.
--
-- most: how many for each reason. latchSeconds: for how long others do not, if there are any; 0 to go on. Returns how many there were, or -1.

local publish, most, latchSeconds = ARGV[1], ARGV[2], ARGV[3]
publishing = publish

local moment = string.format('%.0f', now)
if redis.call('zcount', ttl, '-inf', moment) + redis.call('zcount', idle, '-inf', moment) == 0 then
  return 0
elseif latchSeconds ~= '0' and not redis.pcall('set', latch, 1, 'nx', 'ex', latchSeconds) then -- refused for want of memory, it cleans all the same
  return -1
end
local count = sweep(tonumber(most))
return count

-- Remove values. Those that have ended are left to who publishes that.
--
-- Returns how many of them were there.

local set = KEYS[1]
local values = ARGV

local count = 0
for _, value in ipairs(values) do
  if endOf(set, value) then
    count = count + redis.call('zrem', set, value)
  end
end
return count

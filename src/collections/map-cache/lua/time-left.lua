-- Read how long an entry lasts.
--
-- Returns the milliseconds that are left, -1 if it does not end, and -2 if it has no value.

local field = ARGV[1]

local value, idleMs = find(field)
if not value then
  return -2
end
local ends = tonumber(redis.call('zscore', ttl, field) or math.huge)
local idles = idleMs ~= 0 and tonumber(redis.call('zscore', idle, field) or math.huge) or math.huge
local first = math.min(ends, idles)
return first == math.huge and -1 or math.ceil(first - now)

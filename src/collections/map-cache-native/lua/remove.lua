-- Remove fields. Redis 7.4 counts those as well that have ended, as long as their memory is not freed.
--
-- Returns how many of the fields had values.

local map = KEYS[1]
local fields = ARGV

local count = 0
local isCounted = {}
for _, field in ipairs(fields) do
  if not isCounted[field] then
    isCounted[field] = true
    count = count + redis.call('hexists', map, field)
  end
end
inParts(fields, function(...)
  redis.call('hdel', map, ...)
end)
return count

-- Set how many elements a ring buffer has at most.
--
-- onlyIfUnset: whether a capacity that it has stays, if this is 1. Then no element is removed either; otherwise the oldest ones that are too many are.
-- Returns 1 if it was set, otherwise 0.

local buffer, limit = KEYS[1], KEYS[2]
local capacity, onlyIfUnset = ARGV[1], ARGV[2] == '1'

local size = redis.call('llen', buffer) -- refuses what is no list
local former, wrongLimit = numberAt(limit)
if wrongLimit then
  return wrongLimit
end
if former and onlyIfUnset then
  return 0
end

local moment = expiresAt(former and limit or buffer)
redis.call('set', limit, capacity)
if moment >= 0 then
  redis.call('pexpireat', limit, string.format('%.0f', moment))
end
if not onlyIfUnset and size > tonumber(capacity) then
  redis.call('ltrim', buffer, size - tonumber(capacity), -1)
end
return 1

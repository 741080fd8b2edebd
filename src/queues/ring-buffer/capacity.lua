-- Read how many elements a ring buffer has at most, and how many it has.
--
-- Returns {capacity, size}; nothing if it has no capacity.

local buffer, limit = KEYS[1], KEYS[2]

local size = redis.call('llen', buffer)
local capacity, wrongLimit = numberAt(limit)
if not capacity then
  return wrongLimit
end
return { capacity, size }

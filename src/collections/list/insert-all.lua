-- Insert values, so that the first of them has an index of 0 or more.
--
-- The elements of the shorter side are taken off and pushed again. There are always some of the other side, so that the list keeps its time
-- to live. Returns 1, or 0 if the index is beyond the end, where nothing is inserted.

local list = KEYS[1]
local index, values = ARGV[1], restOf(ARGV, 2)

local size = redis.call('llen', list)
local place = tonumber(index)
if place > size then
  return 0
elseif place == size then
  push('rpush', list, values)
elseif place == 0 then
  pushInFront(list, values)
elseif place <= size / 2 then
  local before = redis.call('lrange', list, 0, place - 1)
  redis.call('ltrim', list, index, -1)
  pushInFront(list, values)
  pushInFront(list, before)
else
  local behind = redis.call('lrange', list, index, -1)
  redis.call('ltrim', list, 0, place - 1)
  push('rpush', list, values)
  push('rpush', list, behind)
end
return 1

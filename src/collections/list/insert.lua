-- Insert a value, so that it has an index of 0 or more.
--
-- mark: a value that no list has. It stands for the element that has the index for as long as the script runs, because Redis inserts
-- beside a value and not at an index.
-- Returns 1, or 0 if the index is beyond the end, where nothing is inserted.

local list = KEYS[1]
local index, mark, value = ARGV[1], ARGV[2], ARGV[3]

local size = redis.call('llen', list)
local place = tonumber(index)
if place > size then
  return 0
elseif place == size then
  redis.call('rpush', list, value)
elseif place == 0 then
  redis.call('lpush', list, value)
else
  local next = redis.call('lindex', list, index)
  redis.call('lset', list, index, mark)
  redis.call('linsert', list, 'before', mark, value)
  redis.call('lset', list, place + 1, next)
end
return 1

-- Move elements from the head of a queue to the tail of another.
--
-- `exactly` is 1 if nothing is moved where there are fewer than `count`. Returns the elements that were moved.

local queue, target = KEYS[1], KEYS[2]
local count, exactly = tonumber(ARGV[1]), ARGV[2] == '1'

redis.call('llen', target) -- refuses what is no list, before anything is removed
if exactly and redis.call('llen', queue) < count then
  return {}
end
local values = {}
for place = 1, count do
  local value = redis.call('lpop', queue)
  if not value then
    break
  end
  values[place] = value
  redis.call('rpush', target, value)
end
return values

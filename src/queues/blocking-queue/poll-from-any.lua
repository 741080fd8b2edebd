-- Remove elements at one end of the first of several queues that has any.
--
-- `pop` is the command that removes one: lpop or rpop. Returns the place of that queue, counted from 0, and the elements in the order in which they
-- were removed; nil if all queues are empty.

local queues = KEYS
local pop, count = ARGV[1], ARGV[2]

for place, queue in ipairs(queues) do
  local values = {}
  for index = 1, tonumber(count) do
    local value = redis.call(pop, queue)
    if not value then
      break
    end
    values[index] = value
  end
  if #values > 0 then
    return { place - 1, values }
  end
end
return false

-- Remove elements at one end of a queue.
--
-- `pop` is the command that removes one: lpop or rpop. Returns the elements, in the order in which they were removed.

local queue = KEYS[1]
local pop, count = ARGV[1], ARGV[2]

local values = {}
for place = 1, tonumber(count) do
  local value = redis.call(pop, queue)
  if not value then
    break
  end
  values[place] = value
end
return values

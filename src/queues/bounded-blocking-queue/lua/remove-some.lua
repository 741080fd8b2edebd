-- Remove all elements that have one of some values, or all that have none of them, and give their places back. See removeWhere().
--
-- retains: whether those that have one stay, if this is 1. Returns 1 if any was removed, otherwise 0.

local queue, places, channel = KEYS[1], KEYS[2], KEYS[3]
local retains, publish, values = ARGV[1], ARGV[2], restOf(ARGV, 3)

local before = redis.call('llen', queue)
local left, wrongType = numberAt(places)
if wrongType then
  return wrongType
end
local isNamed = {}
for _, value in ipairs(values) do
  isNamed[value] = true
end
local removed = removeWhere(queue, function(element)
  return (isNamed[element] or false) == (retains == '0')
end)
giveBack(places, channel, left, before - redis.call('llen', queue), publish)
return removed

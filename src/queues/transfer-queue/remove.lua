-- Remove the first element that has a value. If a producer waits for its hand-off, that ends.
--
-- Returns whether there was one (1).

local queue = KEYS[1]
local value, channel, publish = ARGV[1], ARGV[2], ARGV[3]

local index, record = indexOf(queue, value)
if index < 0 then
  return 0
end
redis.call('lrem', queue, 1, record)
local id = string.match(record, '^%x+')
if id then
  tell(publish, channel, id)
end
return 1

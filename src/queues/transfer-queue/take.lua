-- Take elements from the head, and tell the producers that wait for their hand-off: a message has the ids of all of them.
--
-- Returns the records, in their order.

local queue = KEYS[1]
local count, channel, publish = ARGV[1], ARGV[2], ARGV[3]

local records = redis.call('lpop', queue, count) or {}
local ids = {}
for _, record in ipairs(records) do
  ids[#ids + 1] = string.match(record, '^%x+')
end
if #ids > 0 then
  tell(publish, channel, table.concat(ids, ' '))
end
return records

-- Let nobody claim messages that are pending at a consumer: their idle time begins anew.
--
-- Returns the ids of those that are not pending at the consumer.

local stream = KEYS[1]
local group, consumer, ids = ARGV[1], ARGV[2], restOf(ARGV, 3)

local lost = {}
for _, id in ipairs(ids) do
  if pendingAt(stream, group, consumer, id) then
    redis.call('xclaim', stream, group, consumer, 0, id, 'justid')
  else
    lost[#lost + 1] = id
  end
end
return lost

-- Let others claim messages that are pending at a consumer.
--
-- idleMs: for how long they shall have been pending. deliveries: ids, each followed by how often it was delivered.
-- Returns how many are pending at the consumer.

local stream = KEYS[1]
local group, consumer, idleMs, deliveries = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

local count = 0
for place = 1, #deliveries, 2 do
  local id, times = deliveries[place], deliveries[place + 1]
  if pendingAt(stream, group, consumer, id) then
    redis.call('xclaim', stream, group, consumer, 0, id, 'idle', idleMs, 'retrycount', times, 'justid')
    count = count + 1
  end
end
return count

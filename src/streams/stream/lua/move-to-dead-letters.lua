-- Move a message that is pending at a consumer to another stream, and acknowledge it.
--
-- reason: fields that are added to its own. Returns 1 if it was moved, 0 if it is not pending at the consumer.

local stream, target = KEYS[1], KEYS[2]
local group, consumer, id, reason = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

if not pendingAt(stream, group, consumer, id) then
  return 0
end
local message = redis.call('xrange', stream, id, id)[1]
if message then
  local fields = message[2]
  for _, word in ipairs(reason) do
    fields[#fields + 1] = word
  end
  redis.call('xadd', target, '*', unpack(fields))
end
redis.call('xack', stream, group, id)
return 1

-- Deliver messages once more to the consumer at which they are pending.
--
-- most: how often a message is delivered at most; 0 for any number of times. ids: the messages. Those that are not pending at the consumer are left out.
-- Returns {delivered, dead}: messages with how often they were delivered; ids that were delivered too often, with how often.

local stream = KEYS[1]
local group, consumer, most, ids = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

local limit = tonumber(most)
local delivered, dead = {}, {}
for _, id in ipairs(ids) do
  local pending = pendingAt(stream, group, consumer, id)
  if pending and limit > 0 and pending[4] >= limit then
    dead[#dead + 1] = { id, pending[4] }
  elseif pending then
    local message = redis.call('xclaim', stream, group, consumer, 0, id)[1]
    if message then
      delivered[#delivered + 1] = { message, pending[4] + 1 }
    end
  end
end
return { delivered, dead }

-- Deliver messages to a consumer that have been pending at another one for long.
--
-- most: how often a message is delivered at most; 0 for any number of times. idleMs: for how long they have to be pending.
-- from, count: where the search begins, and how many messages it may find.
-- Returns {next, delivered, dead}: where the search goes on; the rest as in take-own.

local stream = KEYS[1]
local group, consumer, most, idleMs, from, count = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local limit = tonumber(most)
-- Redis looks at ten entries for each message that it may find. Where that are few, it looks more often: at a thousand, unless it finds one.
local looks = math.ceil(100 / count)
local found
repeat
  found = redis.call('xautoclaim', stream, group, consumer, idleMs, from, 'count', count)
  from, looks = found[1], looks - 1
until #found[2] > 0 or from == '0-0' or looks <= 0
local delivered, dead = {}, {}
for _, message in ipairs(found[2]) do
  local pending = message and pendingAt(stream, group, consumer, message[1])
  if pending and limit > 0 and pending[4] > limit then
    dead[#dead + 1] = { message[1], pending[4] - 1 }
  elseif pending then
    delivered[#delivered + 1] = { message, pending[4] }
  end
end
return { found[1], delivered, dead }

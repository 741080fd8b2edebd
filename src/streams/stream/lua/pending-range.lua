-- Read the messages that are pending in a part of a group.
--
-- range: what XPENDING takes after the key. Returns the messages that are still in the stream.

local stream = KEYS[1]
local range = ARGV

local messages = {}
for _, pending in ipairs(redis.call('xpending', stream, unpack(range))) do
  messages[#messages + 1] = redis.call('xrange', stream, pending[1], pending[1])[1]
end
return messages

-- Deliver messages to a consumer that nobody in its group has received.
--
-- Returns them in MessagePack, which takes a client far less time to read: a list of messages, each of which is an id, and a list of names and values.
-- Returns nothing if there are none.

local stream = KEYS[1]
local group, consumer, count = ARGV[1], ARGV[2], ARGV[3]

local found = redis.call('xreadgroup', 'group', group, consumer, 'count', count, 'streams', stream, '>')
return found and cmsgpack.pack(found[1][2])

-- Create a group of consumers.
--
-- from: the id after which it receives messages. makeStream: whether a stream that is not there is made, if this is 1.
-- seen: an id that the stream has had; if so, the group receives messages after that instead. It may be empty.
-- Returns 1 if the group was created, 0 if it was there, -1 if there is no stream.

local stream = KEYS[1]
local group, from, makeStream, seen = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local there = redis.call('type', stream).ok
if there == 'none' and makeStream ~= '1' then
  return -1
end
if seen ~= '' and there == 'stream' and hasHad(stream, seen) then
  from = seen
end
local created = redis.pcall('xgroup', 'create', stream, group, from, 'mkstream')
if created.err then
  return string.find(created.err, 'BUSYGROUP', 1, true) and 0 or created
end
return 1

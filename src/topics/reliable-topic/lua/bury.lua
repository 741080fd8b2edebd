-- Move a message that could not be handled to another topic, and acknowledge it.
--
-- lease, expected: see next. id: of the message.
-- Returns 1, also if it is acknowledged already; 0 without a group, or if that is elsewhere; -1 if the process is not active any more.

local stream, timeouts, dead = KEYS[1], KEYS[2], KEYS[3]
local name, lease, expected, id = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local group = groupOf(stream, name)
if not group then
  return 0
elseif lease ~= '' and not redis.call('zscore', timeouts, lease) then
  return -1
end

local cursor = group['last-delivered-id']
if cursor == expected then
  local entry = redis.call('xrange', stream, id, id)[1]
  if entry then
    redis.call('xadd', dead, '*', unpack(entry[2]))
  end
  acknowledge(stream, group, expected, id)
  trim(stream, serverTimeMs(), groupsOf(stream))
  return 1
end
return cursor == id and 1 or 0

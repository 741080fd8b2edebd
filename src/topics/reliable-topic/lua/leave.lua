-- End a subscriber without a name, or the activity of a process for one that has a name and stays.
--
-- lease: of that process, or empty. expected, upTo: see next.
-- Returns 1 if there was one, otherwise 0.

local stream, timeouts = KEYS[1], KEYS[2]
local name, lease, expected, upTo = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local group = groupOf(stream, name)
local isActive = redis.call('zrem', timeouts, lease == '' and name or lease)
if group and (lease == '' or isActive == 1) then
  acknowledge(stream, group, expected, upTo)
end
if group and lease == '' then
  redis.call('xgroup', 'destroy', stream, name)
end
if group then
  trim(stream, serverTimeMs())
end
return isActive

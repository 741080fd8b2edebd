-- End a subscriber without a name, or the activity of a process for one that has a name and stays.
--
-- lease: of that process, or empty. expected, upTo: see next. open: 1 if a read may have marked a message that no listener got, which is not counted then. known,
-- calls: see next.
-- Returns 1 if there was one, otherwise 0.

local stream, timeouts = KEYS[1], KEYS[2]
local name, lease, expected, upTo, open, known, calls = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local group = groupOf(stream, name)
local isActive = redis.call('zrem', timeouts, lease == '' and name or lease)
if group and (lease == '' or isActive == 1) then
  acknowledge(stream, group, expected, upTo)
  local mark = open == '1' and firstMark(stream, group)
  local called = mark and mark[1] == known and tonumber(calls) or 0
  if mark and mark[4] == called + 1 then
    if called > 0 then
      redis.call('xclaim', stream, name, 'consumer', 0, mark[1], 'force', 'retrycount', called, 'justid')
    else
      redis.call('xack', stream, name, mark[1])
    end
  end
end
if group and lease == '' then
  redis.call('xgroup', 'destroy', stream, name)
end
if group then
  trim(stream, serverTimeMs(), groupsOf(stream))
end
return isActive

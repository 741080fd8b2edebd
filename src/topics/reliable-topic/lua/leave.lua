-- End a subscriber without a name, or the activity of a process for one that has a name and stays.
--
-- lease: of that process, or empty. expected, upTo: see next. uncalled: a message that was read and that no listener got, or empty; counted: its deliveries with
-- that one, which is not counted any more.
-- Returns 1 if there was one, otherwise 0.

local stream, timeouts = KEYS[1], KEYS[2]
local name, lease, expected, upTo, uncalled, counted = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local group = groupOf(stream, name)
local isActive = redis.call('zrem', timeouts, lease == '' and name or lease)
if group and (lease == '' or isActive == 1) then
  acknowledge(stream, group, expected, upTo)
  local mark = uncalled ~= '' and redis.call('xpending', stream, name, uncalled, uncalled, 1)[1]
  if mark and mark[4] == tonumber(counted) then
    if mark[4] > 1 then
      redis.call('xclaim', stream, name, 'consumer', 0, uncalled, 'force', 'retrycount', mark[4] - 1, 'justid')
    else
      redis.call('xack', stream, name, uncalled)
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

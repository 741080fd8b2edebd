-- Have a counter expire, or never, as its caller asks; an empty command leaves it as it is.
--
-- time: milliseconds from now on for pexpire, since 1970 for pexpireat. ifNotSet: whether a time to live that is there stays.
local function applyExpiry(key, command, time, ifNotSet)
  if command == '' or (ifNotSet == '1' and redis.call('pttl', key) >= 0) then
    return
  end
  if command == 'persist' then
    redis.call('persist', key)
  else
    redis.call(command, key, time)
  end
end

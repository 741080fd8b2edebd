-- Take all values for one more hold, or none and report how long it may last until they are free.
--
-- most: how often the owner holds each of the values at most, by this; 1 or more numbers, or nothing where that cannot be known. What
-- Redis counts beyond that was lost by the owner's clock, which is ahead of the server's.
-- Returns 1 for the first hold in a group of which nothing is held, {1, hold count} for any other, otherwise {0, milliseconds left, the owner
-- who has a value for longest}; without the owner if there is none any more.

local group, request = KEYS[1], KEYS[2]
local leaseMs, owner, values, most, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- The ordinary way: nothing of the group is held, no copy has come before, and one command can set all fields.
if #values < 3000 and redis.call('exists', group, request) == 0 then
  local seconds, micros = unpack(redis.call('time'))
  local endsAt = seconds * 1000 + math.floor(micros / 1000) + leaseMs
  local endsAtText, fields = string.format('%.0f', endsAt), {}
  for value in string.gmatch(values, '%S+') do
    local field, last = value .. ':' .. owner, #fields
    fields[last + 1], fields[last + 2] = value, owner
    fields[last + 3], fields[last + 4] = field .. ':expire_time', endsAtText
    fields[last + 5], fields[last + 6] = field .. ':lock_count', 1
  end
  redis.call('hset', group, unpack(fields))
  redis.call('pexpireat', group, endsAt - 1)
  if rememberMs ~= '0' then
    redis.call('set', request, 'taken', 'px', string.format('%.0f', rememberMs + leaseMs))
  end
  return 1
end

-- Give back one hold of all values.
--
-- partly: 1 to release it of those values as well that are left of a hold, because it is known that there was one.
-- least, most: how often the owner holds each of the values after that, or nothing where that cannot be known.
-- Returns how many clients heard that they are free, if nothing else of the group was held, and each of them once. Otherwise {holds that
-- remain, how many clients heard that some are free}; the first is -1 if the owner did not hold all of them.

local group, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, values, partly, least, most, leaseMs, publish, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

-- The ordinary way: the owner has each of the values once, nothing else of the group is there, and no copy has come before.
if #values < 3000 and not string.find(least, '[1-9]') and redis.call('exists', request) == 0 then
  local fields = {}
  for value in string.gmatch(values, '%S+') do
    local field, last = value .. ':' .. owner, #fields
    fields[last + 1], fields[last + 2], fields[last + 3] = value, field .. ':expire_time', field .. ':lock_count'
  end
  local isWhole = redis.call('hlen', group) == #fields
  if isWhole then
    local texts, time = redis.call('hmget', group, unpack(fields)), redis.call('time')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    for last = 0, #fields - 1, 3 do
      local expiresAt = tonumber(texts[last + 2]) or 0
      isWhole = isWhole and texts[last + 1] == owner and expiresAt > now and texts[last + 3] == '1'
    end
  end
  if isWhole then
    redis.call('del', group)
    if rememberMs ~= '0' then
      redis.call('set', request, 0, 'px', rememberMs)
    end
    local heard = publish == '' and 0 or redis.pcall(publish, channel, '0')
    return type(heard) == 'number' and heard or { 'REFUSED', channel, 0 }
  end
end

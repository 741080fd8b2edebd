-- Read a map at once, unless it is too large for that. Entries with an idle time are used thereby.
--
-- command: what of it, hkeys or hgetall. most: how many entries it may have.
-- Returns nil if there are more, or more may have expired.

local publish, command, most = ARGV[1], ARGV[2], ARGV[3]
publishing, most = publish, tonumber(most)

local _, mayBeMore = sweep(1000)
if mayBeMore or redis.call('hlen', map) > most or redis.call('zcard', idle) > most then
  return false
end
for _, field in ipairs(redis.call('zrange', idle, 0, -1)) do
  local value, idleMs = find(field)
  if value then
    refresh(field, idleMs)
  end
end
return redis.call(command, map)

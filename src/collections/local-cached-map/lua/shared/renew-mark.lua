-- Gives the log of a map another mark, so that a client that misses what is published now drops all that it keeps. The records stay, for clients in
-- Java. With no chance, the map has no log.
local function renewMark(log, chance)
  if chance == '' or redis.call('exists', log) == 0 then
    return
  end
  local before = redis.call('zrangebyscore', log, '+inf', '+inf')
  redis.call('zadd', log, '+inf', string.rep('\0', 16) .. ':' .. chance)
  for _, mark in ipairs(before) do
    redis.call('zrem', log, mark)
  end
end

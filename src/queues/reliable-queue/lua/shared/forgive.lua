-- Takes back that a delivery has counted as failed because its time was over. If that has made a dead letter of the message, it is ready again, unless
-- its group has no place. Like one that is redriven, it comes back even if there is another one with its deduplication by now, or no room. A dead letter that
-- fail.lua has made stays one: its program knows of it. Returns how many are ready by this.
local function forgive(id, token, places)
  local counted, redriven = unpack(redis.call('hmget', facts, 'f' .. id, 'n' .. id))
  local failures = tonumber(counted or 0)
  if failures == 0 or tonumber(token) <= tonumber(redriven or 0) then
    return 0 -- it has been acknowledged, removed or redriven since
  end
  redis.call('hset', facts, 'f' .. id, failures - 1)
  if redis.call('hget', facts, 'r' .. id) ~= OVERDUE or redis.call('zrem', dead, id) == 0 then
    return 0
  end
  redis.call('hdel', facts, 'r' .. id)
  local priority, _, group = attributesOf(redis.call('hget', records, id) or '')
  return enter(id, priority, group, places)
end

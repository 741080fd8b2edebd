-- Make dead letters messages again that have not failed yet: those that were given, or the oldest ones.
--
-- count: how many of the oldest, where no ids were given.
-- Returns how many there were.

local count, places, publish, ids = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

if #ids == 0 and count ~= '0' then
  ids = redis.call('zrange', dead, 0, count - 1)
end
local moved, added = 0, 0
local last = redis.call('hget', facts, '#')
for _, id in ipairs(ids) do
  if redis.call('zrem', dead, id) == 1 then
    redis.call('hdel', facts, 'r' .. id, 'f' .. id)
    local record = redis.call('hget', records, id)
    if record then
      local priority, _, group = attributesOf(record)
      moved = moved + 1
      redis.call('hset', facts, 'n' .. id, last) -- earlier deliveries have no failure any more that could be forgiven: see forgive()
      added = added + enter(id, priority, group, tonumber(places))
    end
  end
end
if added > 0 then
  tell(publish, channel, added)
end
return moved

-- Takes a message out of where it waits. Its record stays.
-- Returns whether it was there; then how many others are ready by this, because it had a place of its group.
local function withdraw(id, record, places)
  local priority, _, group = attributesOf(record)
  if redis.call('zrem', ready, id) == 1 or redis.call('zrem', delayed, delayedEntry(id, priority, '+', group)) == 1 then
    return true, leave(group, places)
  end
  local isThere = redis.call('zrem', delayed, delayedEntry(id, priority, '-', group)) == 1
    or redis.call('zrem', grouped, groupedEntry(id, priority, group)) == 1
  return isThere, 0
end

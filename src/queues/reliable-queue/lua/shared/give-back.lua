-- Makes a message ready again whose delivery does not count, unless it was cancelled. Returns how many are ready by this.
local function giveBack(id, places)
  local record = redis.call('hget', records, id)
  if not record then
    return 0
  end
  local priority, _, group, dedup = attributesOf(record)
  if redis.call('hexists', facts, 'c' .. id) == 1 then
    return finish(id, group, dedup, places)
  end
  makeReady(id, priority)
  return 1
end

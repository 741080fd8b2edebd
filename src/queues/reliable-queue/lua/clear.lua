-- Remove messages that wait, or dead letters.
--
-- what: 'waiting' or 'dead'. count: how many at most. places: see leave(). space: see announce().
-- Returns how many were removed.

local what, count, places, space, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local removed, added = 0, 0

local function removeDead(id)
  redis.call('zrem', dead, id)
  redis.call('hdel', records, id)
  forget(id)
end

local function removeWaiting(id)
  local record = redis.call('hget', records, id)
  if record then
    local _, entered = withdraw(id, record, tonumber(places))
    local _, _, _, dedup = attributesOf(record)
    finish(id, '', dedup, 0)
    added = added + entered
  end
end

-- Those that wait for their group go first: so none of them enters where another one leaves.
local sources = what == 'dead' and { dead } or { grouped, delayed, ready }
for _, source in ipairs(sources) do
  for _, entry in ipairs(redis.call('zrange', source, 0, count - removed - 1)) do
    local id = source == grouped and string.sub(entry, -16) or string.sub(entry, 1, 16)
    if what == 'dead' then
      removeDead(id)
    else
      removeWaiting(id)
    end
    redis.call('zrem', source, entry)
    removed = removed + 1
  end
  if removed == tonumber(count) then
    break
  end
end
announce(publish, space, added)
return removed

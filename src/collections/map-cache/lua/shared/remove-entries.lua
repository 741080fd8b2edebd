-- The command that publishes events. Scripts set it.
local publishing

-- How many more entries this script may remove to make room.
local toRemove = 2000

-- A member that Redisson adds so that a sorted set exists.
local EXPIRE_TAG = 'redisson__expiretag'

-- Publishes an event of an entry, if anyone listens. The name of the channel ends as those of the keys.
local function announce(event, field, value, before)
  if not setting(3) then
    return
  end
  local message = struct.pack('Lc0Lc0', #field, field, #value, value)
  if before then
    message = message .. struct.pack('Lc0', #before, before)
  end
  tell(publishing, 'redisson_map_cache_' .. event .. string.sub(ttl, #'redisson__timeout__set' + 1), message)
end

-- Removes an entry from all keys. Returns how many there were.
local function drop(field, event)
  local record = setting(3) and redis.call('hget', map, field)
  local value = record and valueIn(map, record)
  local removed = redis.call('hdel', map, field)
  for _, set in ipairs({ ttl, idle, access }) do
    redis.call('zrem', set, field)
  end
  if (setting(1) or setting(3)) and redis.call('exists', map) == 0 then
    redis.call('persist', options) -- the map has no time to live any more
  end
  if value then
    announce(event, field, value)
  end
  return removed
end

local function removeEnded(set, most)
  local fields = redis.call('zrangebyscore', set, '-inf', string.format('%.0f', now), 'limit', 0, most)
  for _, field in ipairs(fields) do
    if find(field) then
      redis.call('zrem', set, field) -- the end of an idle time that the entry does not have any more
    else
      drop(field, 'expired')
    end
  end
  return #fields
end

-- Removes entries that have expired, up to a number for each reason. Returns how many there were, and whether there may be more.
local function sweep(most)
  local ended, idled = removeEnded(ttl, most), removeEnded(idle, most)
  return ended + idled, ended == most or idled == most
end

local function surplus()
  return maxSize() == 0 and 0 or redis.call('hlen', map) - maxSize()
end

-- Removes some of these fields, but not the one that stays. Returns how many of them were entries.
local function dropSome(fields, most, kept)
  local count = 0
  for _, field in ipairs(fields) do
    if count < most and field ~= kept and field ~= EXPIRE_TAG then
      count = count + drop(field, 'removed')
    end
  end
  return count
end

-- Removes what is beyond the limit: what has expired, then the least used, then any that no one is known to have used.
local function makeRoom(kept)
  if surplus() > 0 and toRemove > 0 then
    toRemove = toRemove - sweep(math.min(surplus(), toRemove))
  end
  while surplus() > 0 and toRemove > 0 do
    local most = math.min(surplus(), toRemove)
    local count = dropSome(redis.call('zrange', access, 0, most), most, kept)
    if count == 0 then
      count = dropSome(redis.call('hrandfield', map, most + 1), most, kept)
    end
    toRemove = count == 0 and 0 or toRemove - count
  end
  return surplus() > 0
end

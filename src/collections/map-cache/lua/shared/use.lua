-- The limit of the cache, how entries are chosen that are removed, and whether anyone listens. It is read once.
local known

local function setting(place)
  known = known or redis.call('hmget', options, 'max-size', 'mode', 'has-listeners')
  return known[place]
end

local function maxSize()
  return tonumber(setting(1) or 0) or 0
end

-- Has a sorted set that was made just now expire together with the map.
local function expireWithMap(set, added)
  if added == 1 and redis.call('zcard', set) == 1 then
    local moment = expiresAt(map)
    if moment > 0 then
      redis.call('pexpireat', set, string.format('%.0f', moment))
    end
  end
end

-- Sets when an entry ends: so many milliseconds from now, or never for 0.
local function setEnd(set, field, ms)
  if ms == 0 then
    redis.call('zrem', set, field)
  else
    expireWithMap(set, redis.call('zadd', set, string.format('%.0f', now + ms), field))
  end
end

-- The moment with its microseconds: entries that are used within the same millisecond have an order, too.
local function preciseNow()
  local seconds, micros = unpack(redis.call('time'))
  return string.format('%.0f.%03d', seconds * 1000 + math.floor(micros / 1000), micros % 1000)
end

-- Notes that an entry is used, where the size is limited.
local function use(field, isNew)
  if maxSize() == 0 then
    return
  end
  if setting(2) ~= 'LFU' then
    expireWithMap(access, redis.call('zadd', access, preciseNow(), field))
  elseif isNew then
    expireWithMap(access, redis.call('zadd', access, 1, field))
  elseif redis.call('zincrby', access, 1, field) == '1' then
    expireWithMap(access, 1)
  end
end

-- Begins the idle time of an entry anew, if it has one. What only reads does not fail where Redis has no memory for that.
local function refresh(field, idleMs)
  if idleMs ~= 0 then
    pcall(setEnd, idle, field, idleMs)
  end
end

-- Notes that an entry is read.
local function touch(field, idleMs)
  refresh(field, idleMs)
  pcall(use, field)
end

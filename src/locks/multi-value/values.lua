-- A group is a hash of the values that are held. Each has three fields: under its own name who holds it, and under its name
-- and the holder's until when, on the servers' clock, and how often. Redis ends only the whole hash by itself, so the fields
-- of a hold that has ended may still be there.

local function eachOf(values)
  return values:gmatch('%S+')
end

local function fieldsOf(value, owner)
  return value .. ':' .. owner .. ':expire_time', value .. ':' .. owner .. ':lock_count'
end

-- The error for a name that belongs to something else. One field shows it: the name of a value has 22 characters.
local function wrongTypeOf(group)
  local field = redis.call('hscan', group, 0, 'count', 1)[2][1]
  if field and not (field:find('^[%w+/]+$') and #field == 22 or field:find('^[%w+/]+:') == 1 and field:sub(23, 23) == ':') then
    return redis.error_reply('WRONGTYPE the name belongs to another kind of lock')
  end
end

-- The owner of a value, until when, and how often; nil if it is free.
local function holdOn(group, value, now)
  local holder = redis.call('hget', group, value)
  if not holder then
    return nil
  end
  local expireField, count = unpack(redis.call('hmget', group, fieldsOf(value, holder)))
  local expiresAt = tonumber(expireField) or 0
  if expiresAt <= now then
    return nil
  end
  return holder, expiresAt, tonumber(count) or 1
end

-- Whether an owner holds every one of the values, and how often the one that it holds least.
local function leastHolds(group, values, owner, now)
  local least
  for value in eachOf(values) do
    local holder, _, count = holdOn(group, value, now)
    if holder ~= owner then
      return 0
    end
    least = math.min(least or count, count)
  end
  return least
end

-- Sets until when and how often an owner holds a value.
local function setHold(group, value, owner, expiresAt, count)
  local expireField, countField = fieldsOf(value, owner)
  redis.call('hset', group, value, owner, expireField, string.format('%.0f', expiresAt), countField, count)
end

-- Removes all fields of the present or past holder of a value.
local function freeValue(group, value)
  local holder = redis.call('hget', group, value)
  if holder then
    redis.call('hdel', group, value, fieldsOf(value, holder))
  end
end

-- Removes some of the values whose holds have ended, so that a group in steady use does not fill up with what the dead have
-- left. A small group is cleared of all of them.
local function sweepSome(group, now)
  for _, field in ipairs(redis.call('hrandfield', group, 24)) do
    local value = field:sub(1, 22)
    if not holdOn(group, value, now) then
      freeValue(group, value)
      redis.call('hdel', group, field)
    end
  end
end

-- Has the hash end with a lease that begins now: a millisecond sooner, because in Redisson, who takes a value in the last
-- millisecond of the hash does not prolong it, and loses the value with it.
local function endWith(group, leaseMs, now)
  redis.call('pexpireat', group, now + leaseMs - 1)
end

-- The hash lasts as long as what is in it; one that is about to end as well.
local function keepFor(group, leaseMs, now)
  local leftMs = redis.call('pttl', group)
  if leftMs >= 0 and leftMs < tonumber(leaseMs) then
    endWith(group, leaseMs, now)
  end
end

-- A count that is no larger than the most that it can be; without one, as it is.
local function atMost(count, most)
  return math.min(count, tonumber(most) or count)
end

-- Takes one hold of an owner from each value that it holds. The holds that remain last that long at least; 0 leaves them alone.
--
-- least, most: how often the owner holds each of the values after that, by other sets of values; nothing where that cannot be known. The
-- hold that is released may have ended already, and what Redis counts now may all belong to other sets, or be left of lost ones.
-- Returns how many values it held, how often it still holds the one that it holds least, and whether any has become free.
local function giveBackValues(group, values, owner, least, most, leaseMs, now)
  local leastOf, mostOf = eachOf(least), eachOf(most)
  local held, remaining, freed = 0, nil, false
  for value in eachOf(values) do
    local holder, expiresAt, count = holdOn(group, value, now)
    local kept, upper = tonumber(leastOf() or 0), mostOf()
    if holder == owner then
      local left = math.min(math.max(atMost(count - 1, upper), kept), count)
      held = held + 1
      remaining = math.min(remaining or left, left)
      if left > 0 then
        setHold(group, value, owner, math.max(expiresAt, now + leaseMs), left)
      else
        freeValue(group, value)
        freed = true
      end
    end
  end
  sweepSome(group, now)
  keepFor(group, leaseMs, now)
  return held, remaining, freed
end

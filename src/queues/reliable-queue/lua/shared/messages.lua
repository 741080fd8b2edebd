-- The highest priority. The lowest is as far below 0.
local HIGHEST = 1000000

-- Why a message is dead whose last delivery has ended by its time.
local OVERDUE = 'the delivery was not acknowledged in time'

-- What stands before the value of a record: its priority, the most deliveries or nothing, its group, its deduplication.
local function attributesOf(record)
  local priority, most, group, dedup, at = string.match(record, '^(-?%d+) (%d*) (%d+) (%d+) %d+\n()')
  if not priority then
    return 0, nil, '', ''
  end
  local stop = at + group + dedup - 1
  return tonumber(priority), tonumber(most), string.sub(record, at, at + group - 1), string.sub(record, at + group, stop)
end

-- The entry of a message that is delayed. mark: '+' if it has a place of its group, otherwise '-'.
local function delayedEntry(id, priority, mark, group)
  return priority == 0 and group == '' and id or id .. ' ' .. priority .. ' ' .. mark .. group
end

-- The entry of a message that waits for a place of its group: a lower one comes first.
local function groupedEntry(id, priority, group)
  return group .. '\0' .. string.format('%07d', HIGHEST - priority) .. id
end

local function makeReady(id, priority)
  redis.call('zadd', ready, -priority, id)
end

-- Makes a message ready if its group has a place for it. Otherwise it waits behind others of its group.
-- Returns how many are ready by this.
local function enter(id, priority, group, places)
  if group ~= '' and places > 0 then
    if tonumber(redis.call('hget', facts, 's' .. group) or 0) >= places then
      redis.call('zadd', grouped, 0, groupedEntry(id, priority, group))
      return 0
    end
    redis.call('hincrby', facts, 's' .. group, 1)
  end
  makeReady(id, priority)
  return 1
end

-- Frees a place of a group, and lets in those who wait for one. There may be more places than before.
-- Returns how many are ready by this.
local function leave(group, places)
  local taken = group ~= '' and tonumber(redis.call('hget', facts, 's' .. group) or 0) or 0
  if group == '' or (taken == 0 and places == 0) then
    return 0
  end
  local left = math.max(taken - 1, 0)
  local free = places > 0 and math.max(places - left, 0) or 1000
  local entered = redis.call('zrangebylex', grouped, '[' .. group .. '\0', '(' .. group .. '\1', 'limit', 0, free)
  for _, entry in ipairs(entered) do
    redis.call('zrem', grouped, entry)
    makeReady(string.sub(entry, -16), HIGHEST - tonumber(string.sub(entry, -23, -17)))
  end
  if left + #entered > 0 then
    redis.call('hset', facts, 's' .. group, left + #entered)
  else
    redis.call('hdel', facts, 's' .. group)
  end
  return #entered
end

-- For how many messages there is room by this script.
local room = 0

-- Ends the deduplication of a message, unless it lasts for a time of its own.
local function endDedup(id, dedup)
  if dedup ~= '' and redis.call('hget', facts, 'd' .. dedup) == id then
    redis.call('hdel', facts, 'd' .. dedup)
  end
end

-- Forgets what has become of a message.
local function forget(id)
  redis.call('hdel', facts, 'f' .. id, 'r' .. id, 'n' .. id, 'c' .. id)
end

-- Removes a message that is neither ready nor waits any more.
local function finish(id, group, dedup, places)
  room = room + 1
  redis.call('hdel', records, id)
  forget(id)
  endDedup(id, dedup)
  return leave(group, places)
end

-- Tells those who wait for messages, and those who wait for room. space: their channel, or nothing if any number of messages has room.
local function announce(publish, space, added)
  if added > 0 then
    tell(publish, channel, added)
  end
  if room > 0 and space ~= '' then
    tell(publish, space, room)
  end
end

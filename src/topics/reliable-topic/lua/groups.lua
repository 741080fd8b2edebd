-- The subscribers of a topic are groups of its stream. `last-delivered-id` of one that this library reads for is the last message that is acknowledged.

-- What the group is called that stands for the history, before its milliseconds.
local HISTORY = 'ioredisson:history:'

local function historyOf(group)
  return string.match(group.name, '^ioredisson:history:(%d+)$')
end

-- What Redis says of each group; nothing if there is no stream.
local function factsOfGroups(stream)
  return redis.call('exists', stream) == 1 and redis.call('xinfo', 'groups', stream) or {}
end

-- A group, by the names that Redis has for its facts.
local function groupIn(facts)
  local group = {}
  for place = 1, #facts, 2 do
    group[facts[place]] = facts[place + 1]
  end
  return group
end

local function groupsOf(stream)
  local groups = {}
  for at, facts in ipairs(factsOfGroups(stream)) do
    groups[at] = groupIn(facts)
  end
  return groups
end

local function hasName(facts, name)
  for place = 1, #facts, 2 do
    if facts[place] == 'name' then
      return facts[place + 1] == name
    end
  end
end

-- The group with a name; nothing if there is none. There may be thousands of others, of which no tables are made.
local function groupOf(stream, name)
  for _, facts in ipairs(factsOfGroups(stream)) do
    if hasName(facts, name) then
      return groupIn(facts)
    end
  end
end

-- Where a group goes that is to go on after a position: there, but never behind the last message. What a failover has lost is published again with lower ids than
-- those that were acknowledged.
local function placeFor(stream, position)
  if redis.call('exists', stream) == 0 then
    return '0-0'
  end
  local facts = redis.call('xinfo', 'stream', stream)
  for place = 1, #facts, 2 do
    if facts[place] == 'last-generated-id' and (position == '$' or isBefore(facts[place + 1], position)) then
      return facts[place + 1]
    end
  end
  return position
end

-- Removes subscribers that were not renewed in time, 100 at most. What is left of another process that was active for a subscriber is no group.
-- Returns how many there were.
local function sweep(stream, timeouts, now)
  local ended = redis.call('zrangebyscore', timeouts, '-inf', '(' .. string.format('%.0f', now), 'limit', 0, 100)
  for _, member in ipairs(ended) do
    if redis.call('exists', stream) == 1 then
      redis.call('xgroup', 'destroy', stream, member)
    end
    redis.call('zrem', timeouts, member)
  end
  return #ended
end

-- After which message a group goes on; for the history, after those that are too old.
local function placeOf(group, now)
  local historyMs = historyOf(group)
  return historyMs and beforeMoment(now - historyMs) or group['last-delivered-id']
end

-- The lowest id that a group still needs; nothing if the first message is needed. Redisson counts what it has delivered, and acknowledges it afterwards: that is
-- pending meanwhile. Redis is asked for it group by group, and so only if all places are behind the first message.
local function lowestNeeded(stream, groups, now, first)
  local place
  for _, group in ipairs(groups) do
    local other = placeOf(group, now)
    if other ~= place and (not place or isBefore(other, place)) then
      if isBefore(other, first) then
        return
      end
      place = other
    end
  end
  local lowest = after(place)
  for _, group in ipairs(groups) do
    local pending = group.pending > 0 and redis.call('xpending', stream, group.name)[2]
    if pending and isBefore(pending, lowest) then
      if not isBefore(first, pending) then
        return
      end
      lowest = pending
    end
  end
  return lowest
end

-- Removes messages that every subscriber has acknowledged and that are older than the history; then the stream, if it is of no use any more. Without
-- subscribers messages stay for the first to come.
local function trim(stream, now, groups)
  local first = redis.call('xrange', stream, '-', '+', 'count', 1)[1]
  if not first then
    if #groups == 0 then
      redis.call('del', stream)
    end
    return
  end
  local from = #groups > 0 and lowestNeeded(stream, groups, now, first[1])
  if not from or redis.call('xtrim', stream, 'minid', from) == 0 then
    return
  end
  for _, group in ipairs(groups) do
    if historyOf(group) then
      redis.call('xgroup', 'setid', stream, group.name, placeOf(group, now)) -- Redisson keeps what follows
    end
  end
end

-- The mark of the first message that is marked as delivered and not acknowledged: {id, consumer, idle time, deliveries}; nothing if there is none.
local function firstMark(stream, group)
  return group.pending > 0 and redis.call('xpending', stream, group.name, after(group['last-delivered-id']), '+', 1)[1] or nil
end

-- Acknowledges all messages of a group up to one, if it is still where its reader has left it. Returns whether it has moved.
local function acknowledge(stream, group, expected, upTo)
  if upTo == '' or group['last-delivered-id'] ~= expected then
    return false
  end
  local marked = group.pending > 0 and redis.call('xpending', stream, group.name, '-', upTo, 100) or {}
  for _, mark in ipairs(marked) do
    group.pending = group.pending - redis.call('xack', stream, group.name, mark[1])
  end
  redis.call('xgroup', 'setid', stream, group.name, upTo)
  group['last-delivered-id'] = upTo
  return true
end

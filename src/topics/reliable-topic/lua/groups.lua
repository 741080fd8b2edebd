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

-- The lowest id that a group still needs. Redisson counts what it has delivered, and acknowledges it afterwards: that is pending meanwhile.
local function neededBy(stream, group)
  local from = after(group['last-delivered-id'])
  if group.pending == 0 then
    return from
  end
  local pending = redis.call('xpending', stream, group.name)[2]
  return isBefore(pending, from) and pending or from
end

-- Removes messages that every subscriber has acknowledged and that are older than the history; then the stream, if it is of no use any more. Without
-- subscribers messages stay for the first to come.
local function trim(stream, now)
  local groups = groupsOf(stream)
  local from, history
  for _, group in ipairs(groups) do
    local historyMs = historyOf(group)
    local needed
    if historyMs then
      history = group.name
      needed = after(beforeMoment(now - historyMs))
    else
      needed = neededBy(stream, group)
    end
    if not from or isBefore(needed, from) then
      from = needed
    end
  end
  if not from then
    if redis.call('xlen', stream) == 0 then
      redis.call('del', stream)
    end
    return
  end
  local removed = redis.call('xtrim', stream, 'minid', from)
  if history and removed > 0 then
    local historyMs = string.sub(history, #HISTORY + 1)
    redis.call('xgroup', 'setid', stream, history, beforeMoment(now - historyMs)) -- Redisson keeps what follows
  end
end

-- Acknowledges all messages of a group up to one, if it is still where its reader has left it. Returns where it is, and whether it has moved.
local function acknowledge(stream, group, expected, upTo)
  local cursor = group['last-delivered-id']
  if upTo == '' or cursor ~= expected then
    return cursor, false
  end
  local marked = redis.call('xpending', stream, group.name, '-', upTo, 100)
  for _, mark in ipairs(marked) do
    redis.call('xack', stream, group.name, mark[1])
  end
  redis.call('xgroup', 'setid', stream, group.name, upTo)
  return upTo, true
end

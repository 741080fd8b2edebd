-- Have a subscriber at a topic: its group, unless it has one, and until when it counts as alive.
--
-- position: after which message a new one begins, or `$` for the last. lease: what the process is called that is to be active for a named subscriber; empty
-- for one without a name, which has this process alone. timeoutMs: how long it counts as alive.
-- Returns {1 if this process is active, 1 if there is a new group, the message that was delivered and not acknowledged, or empty, and how often it was}.

local stream, timeouts = KEYS[1], KEYS[2]
local name, position, lease, timeoutMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

-- In front of the name, a lease has a word, 32 digits and two colons.
local function isLeaseOf(member)
  return string.match(member, '^ioredisson:lease:%x+:') and string.sub(member, 51) == name
end

local now = serverTimeMs()
local group = groupOf(stream, name)
local isNew = not group
if isNew then
  redis.call('xgroup', 'create', stream, name, placeFor(stream, position), 'mkstream')
end

local ttlMs = redis.call('exists', timeouts) == 0 and redis.call('pttl', stream) or -1
if lease ~= '' then
  local members = redis.call('zrange', timeouts, 0, -1, 'withscores')
  for place = 1, #members, 2 do
    local member = members[place]
    if member ~= lease and isLeaseOf(member) then
      if tonumber(members[place + 1]) >= now then
        return { 0, isNew and 1 or 0, '', 0 }
      end
      redis.call('zrem', timeouts, member)
    end
  end
end
redis.call('zadd', timeouts, string.format('%.0f', now + timeoutMs), lease == '' and name or lease)
if ttlMs > 0 then
  redis.call('pexpire', timeouts, ttlMs)
end
local mark = group and firstMark(stream, group)
return { 1, isNew and 1 or 0, mark and mark[1] or '', mark and mark[4] or 0 }

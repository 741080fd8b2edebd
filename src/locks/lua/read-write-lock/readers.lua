-- A read-write lock is a hash: `mode` -> read or write, reader -> its holds, writer:write -> its holds. Each hold of a reader
-- has a key of its own beside the hash, numbered from 1, that lasts as long as its lease. A reader without any is dead.

-- The mode and an owner's holds, nil where there are none. For a name that belongs to something else, the error as well.
local function modeAndHolds(lock, owner)
  local mode, holds = unpack(redis.call('hmget', lock, 'mode', owner))
  if not mode and redis.call('exists', lock) == 1 then
    return nil, nil, redis.error_reply('WRONGTYPE the name belongs to another kind of lock')
  end
  return mode, tonumber(holds)
end

local function markerOf(markers, reader, number)
  return markers .. ':' .. reader .. ':rwlock_timeout:' .. number
end

-- How long a reader's longest lease still lasts, in milliseconds; less than 0 if all have ended.
local function readerLeftMs(markers, reader, holds)
  local longest = -1
  for number = 1, holds do
    longest = math.max(longest, redis.call('pttl', markerOf(markers, reader, number)))
  end
  return longest
end

-- Forgets dead readers. Returns how long the living ones still have at most; less than 0 if there are none.
local function dropDeadReaders(lock, markers)
  local longest = -1
  local entries = redis.call('hgetall', lock)
  for i = 1, #entries, 2 do
    local owner, holds = entries[i], tonumber(entries[i + 1])
    if holds and string.sub(owner, -6) ~= ':write' then
      local leftMs = readerLeftMs(markers, owner, holds)
      longest = math.max(longest, leftMs)
      if leftMs < 0 then
        redis.call('hdel', lock, owner)
      end
    end
  end
  return longest
end

-- Sees to it that the lock lasts at least so long.
local function extend(lock, leaseMs)
  if redis.call('pttl', lock) < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
end

-- Lets go of a lock that nobody writes under: it lasts as long as its readers, and not at all without them.
-- Returns whether it is free.
local function settleReaders(lock, markers)
  local leftMs = dropDeadReaders(lock, markers)
  if leftMs < 0 then
    redis.call('del', lock)
    return true
  end
  redis.call('pexpire', lock, leftMs)
  return false
end

-- A read-write lock is a hash: `mode` -> read or write, reader -> its holds, writer:write -> its holds. Each hold of a reader
-- has a key of its own beside the hash, numbered from 1, that lasts as long as its lease. A reader without any is dead.

local function markerOf(markers, reader, number)
  return markers .. reader .. ':rwlock_timeout:' .. number
end

-- How long a reader's longest lease still lasts, in milliseconds; less than 0 if all have ended.
local function readerLeftMs(markers, reader, holds)
  local longest = -1
  for number = 1, holds do
    longest = math.max(longest, redis.call('pttl', markerOf(markers, reader, number)))
  end
  return longest
end

local function isReader(field)
  return string.sub(field, -6) ~= ':write'
end

-- Forgets holds of a reader whose leases have ended, but for `least` of all that it has: a hold goes on as long as another of its thread.
-- Those that last are numbered from 1 again. Returns how many there are now.
local function dropEndedHolds(markers, reader, holds, least)
  local lasting = 0
  for number = 1, holds do
    local marker = markerOf(markers, reader, number)
    if redis.call('exists', marker) == 1 then
      lasting = lasting + 1
      if lasting < number then
        redis.call('rename', marker, markerOf(markers, reader, lasting))
      end
    end
  end
  return math.min(holds, math.max(lasting, least))
end

-- The mode and an owner's holds, nil where there are none; those of a dead reader, whom nothing may have forgotten yet, do not count.
-- For a name that belongs to something else, the error as well.
local function modeAndHolds(lock, owner, markers)
  local mode, text = unpack(redis.call('hmget', lock, 'mode', owner))
  if mode ~= 'read' and mode ~= 'write' and redis.call('exists', lock) == 1 then
    return nil, nil, redis.error_reply('WRONGTYPE the name belongs to another kind of lock')
  end
  local holds = tonumber(text)
  if holds and isReader(owner) and readerLeftMs(markers, owner, holds) < 0 then
    return mode, nil
  end
  return mode, holds
end

-- Forgets dead readers. Returns how long the living ones still have at most; less than 0 if there are none.
local function dropDeadReaders(lock, markers)
  local longest = -1
  local entries = redis.call('hgetall', lock)
  for i = 1, #entries, 2 do
    local owner, holds = entries[i], tonumber(entries[i + 1])
    if holds and isReader(owner) then
      local leftMs = readerLeftMs(markers, owner, holds)
      longest = math.max(longest, leftMs)
      if leftMs < 0 then
        redis.call('hdel', lock, owner)
      end
    end
  end
  return longest
end

-- Ensures that the lock lasts at least that long.
local function extend(lock, leaseMs)
  if redis.call('pttl', lock) < tonumber(leaseMs) then
    redis.call('pexpire', lock, leaseMs)
  end
end

-- Leaves a lock without a writer: it lasts as long as its readers, and not at all without them.
-- Returns whether it is free.
local function settleReaders(lock, markers)
  local leftMs = dropDeadReaders(lock, markers)
  if leftMs < 0 then
    redis.call('del', lock)
    return true
  end
  redis.call('pexpire', lock, math.max(leftMs, 1)) -- 0 would remove what is still held for a part of a millisecond
  return false
end

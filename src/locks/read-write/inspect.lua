-- Read the owner of the lock in the given mode, and how often one owner does.
--
-- A writer may read as well, and then it is held in both modes.
-- Returns {milliseconds left, some holder, the owner's hold count}; the time is -2 if it is free, and -1 if it never ends.

local lock, markers = KEYS[1], KEYS[2]
local owner, mode = ARGV[1], ARGV[2]

local _, held, wrongType = modeAndHolds(lock, owner, markers)
if wrongType then
  return wrongType
end

local entries = redis.call('hgetall', lock)
for i = 1, #entries, 2 do
  local holder, holds = entries[i], tonumber(entries[i + 1])
  local reads = isReader(holder)
  if holds and reads == (mode == 'read') and not (reads and readerLeftMs(markers, holder, holds) < 0) then
    return { redis.call('pttl', lock), holder, held or 0 }
  end
end
return { -2, '', 0 }

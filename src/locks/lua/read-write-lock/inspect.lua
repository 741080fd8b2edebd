-- Tell who holds the lock in the given mode, and how often one owner does.
--
-- Whoever writes may read as well, and then it is held in both modes.
-- Returns {milliseconds left, some holder, the owner's hold count}; the time is -2 if nobody holds it, and -1 if it never ends.

local lock = KEYS[1]
local owner, mode = ARGV[1], ARGV[2]

local _, held, wrongType = modeAndHolds(lock, owner)
if wrongType then
  return wrongType
end

local entries = redis.call('hgetall', lock)
for i = 1, #entries, 2 do
  local writes = string.sub(entries[i], -6) == ':write'
  if tonumber(entries[i + 1]) and writes == (mode == 'write') then
    return { redis.call('pttl', lock), entries[i], held or 0 }
  end
end
return { -2, '', 0 }

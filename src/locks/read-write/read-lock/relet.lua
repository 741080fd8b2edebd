-- Make a reader's latest hold last that long from now on.
--
-- Returns 1 if the reader holds the lock, otherwise 0.

local lock, markers = KEYS[1], KEYS[2]
local owner, leaseMs = ARGV[1], ARGV[2]

local mode, held = modeAndHolds(lock, owner, markers)
if not held then
  return 0
end
redis.call('set', markerOf(markers, owner, held), '1', 'px', leaseMs)
if mode == 'read' then
  settleReaders(lock, markers)
else
  extend(lock, leaseMs)
end
return 1

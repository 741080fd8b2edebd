-- Extend the leases of readers, each at one lock. Readers of the same locks that are dead are forgotten.
--
-- locksAndMarkers: for every reader its lock, then what its markers begin with.
-- Returns, in order, 1 for every reader that still holds its lock and 0 for the others.

local locksAndMarkers = KEYS
local leaseMs, owners = ARGV[1], restOf(ARGV, 2)

local held, swept = {}, {}
for i, owner in ipairs(owners) do
  local lock, markers = locksAndMarkers[2 * i - 1], locksAndMarkers[2 * i]
  local holds = redis.pcall('hget', lock, owner)
  held[i] = type(holds) == 'string' and 1 or 0
  if held[i] == 1 then
    local others = readerLeftMs(markers, owner, tonumber(holds)) >= 0
    for number = 1, tonumber(holds) do
      local marker = markerOf(markers, owner, number)
      local leftMs = redis.call('pttl', marker)
      local stays = leftMs >= tonumber(leaseMs) or others and leftMs < 0 -- a hold that has ended beside others stays so
      if not stays and redis.call('pexpire', marker, leaseMs) == 0 then -- which needs no memory
        redis.call('set', marker, '1', 'px', leaseMs)
      end
    end
    extend(lock, leaseMs)
    if not swept[lock] then
      swept[lock] = true
      dropDeadReaders(lock, markers)
    end
  end
end
return held

-- Make a reader's latest hold last that long from now on. If the lock ends sooner by that, the waiters are notified: they sleep until it
-- may end, as far as they know.
--
-- Returns 1 if the reader holds the lock, otherwise 0.

local lock, channel, markers = KEYS[1], KEYS[2], KEYS[3]
local owner, leaseMs, publish = ARGV[1], ARGV[2], ARGV[3]

local mode, held = modeAndHolds(lock, owner, markers)
if not held then
  return 0
end
redis.call('set', markerOf(markers, owner, held), '1', 'px', leaseMs)
if mode == 'write' then
  extend(lock, leaseMs)
  return 1
end
local leftMs = redis.call('pttl', lock)
settleReaders(lock, markers)
if redis.call('pttl', lock) < leftMs then
  tell(publish, channel, '0')
end
return 1

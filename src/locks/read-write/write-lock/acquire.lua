-- Take the lock for its one writer, or report how long those who have it still may.
--
-- Entering again never shortens the lease that an earlier hold was promised. preferWriter: readers wait while this writer
-- does, if this is 1; it has to say so again within patienceMs.
-- holds: the count that the writer will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left, some owner}; without the owner if there is none any more.

local lock, request, markers, writers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leaseMs, owner, holds, stale, preferWriter, patienceMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local mode, held, wrongType = modeAndHolds(lock, owner)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered == 'taken' and held then
  return { 1, held }
end
if mode == 'read' and not remembered and settleReaders(lock, markers) then
  mode = false -- those who read are dead
end
if remembered or (mode and not held) then
  remember(request, 'refused', rememberMs)
  if preferWriter == '1' and not remembered then
    redis.call('zadd', writers, serverTimeMs() + tonumber(patienceMs), owner)
    redis.call('pexpire', writers, patienceMs)
  end
  return { 0, redis.call('pttl', lock), holderOf(lock) }
end

local count = countAfter(held or 0, tonumber(holds), tonumber(stale), rememberMs)
redis.call('hset', lock, 'mode', 'write', owner, count)
extend(lock, leaseMs)
if preferWriter == '1' then
  redis.call('zrem', writers, owner)
end
rememberTaken(request, leaseMs, rememberMs)
return { 1, count }

-- Take the lock for its one writer, or report how long those who have it still may.
--
-- Entering again never shortens the lease that an earlier hold was promised. preferWriter: readers wait while this writer
-- does, if this is 1; it has to say so again within patienceMs.
-- holds: the count that the writer will reach by this, or 0 if it cannot know.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left}.

local lock, request, markers, writers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leaseMs, owner, holds, preferWriter, patienceMs, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local mode, held, wrongType = modeAndHolds(lock, owner)
if wrongType then
  return wrongType
end

local answered = redis.call('get', request)
if answered == 'taken' and held then
  return { 1, held }
end
if mode == 'read' and not answered and settleReaders(lock, markers) then
  mode = false -- those who read are dead
end
if answered or (mode and not held) then
  remember(request, 'refused', rememberMs)
  if preferWriter == '1' and not answered then
    redis.call('zadd', writers, serverTimeMs() + tonumber(patienceMs), owner)
    redis.call('pexpire', writers, patienceMs)
  end
  return { 0, redis.call('pttl', lock) }
end

-- That the count is reached already shows that an earlier copy of the request has run, which leaves no answer behind.
local again = tonumber(rememberMs) > 0 or holds == '1'
local counted = again and tonumber(holds) > 0 and (held or 0) >= tonumber(holds)
if not counted then
  redis.call('hset', lock, 'mode', 'write')
  held = redis.call('hincrby', lock, owner, 1)
end
extend(lock, leaseMs)
if preferWriter == '1' then
  redis.call('zrem', writers, owner)
end
rememberTaken(request, leaseMs, rememberMs)
return { 1, held }

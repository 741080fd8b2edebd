-- Take the lock for one more reader, or report how long the writer who has it still may.
--
-- A writer may read as well. preferWriter: readers who are not inside yet let writers who wait go first, if this is 1.
-- holds: the count that the reader will reach by this, or 0 if it cannot know.
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

local mine = mode == 'write' and redis.call('hexists', lock, owner .. ':write') == 1
local blocked = mode == 'write' and not mine
local yields = preferWriter == '1' and not held and not mine and not blocked and writersWait(writers)
if answered or blocked or yields then
  remember(request, 'refused', rememberMs)
  return { 0, blocked and redis.call('pttl', lock) or tonumber(patienceMs) }
end

-- That the count is reached already shows that an earlier copy of the request has run, which leaves no answer behind.
local again = tonumber(rememberMs) > 0 or holds == '1'
local counted = again and tonumber(holds) > 0 and (held or 0) >= tonumber(holds)
if not counted then
  redis.call('hsetnx', lock, 'mode', 'read')
  held = redis.call('hincrby', lock, owner, 1)
end
redis.call('set', markerOf(markers, owner, held), '1', 'px', leaseMs)
extend(lock, leaseMs)
rememberTaken(request, leaseMs, rememberMs)
return { 1, held }

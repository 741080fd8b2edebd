-- Take the lock for one more reader, or report how long the writer who has it still may.
--
-- A writer may read as well. preferWriter: readers who are not inside yet let writers who wait go first, if this is 1.
-- holds: the count that the reader will reach by this, or 0 if it cannot know. stale: how many it has lost that may still count.
-- Returns {1, hold count} when taken, otherwise {0, milliseconds left, some owner}; without the owner if there is none any more.

local lock, request, markers, writers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leaseMs, owner, holds, stale, preferWriter, patienceMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local mode, held, wrongType = modeAndHolds(lock, owner, markers)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered == 'taken' and held then
  return { 1, held }
end

local mine = mode == 'write' and redis.call('hexists', lock, owner .. ':write') == 1
local blocked = mode == 'write' and not mine
local yields = preferWriter == '1' and not held and not mine and not blocked and writersWait(writers)
if remembered or blocked or yields then
  remember(request, 'refused', rememberMs)
  return { 0, blocked and redis.call('pttl', lock) or tonumber(patienceMs), holderOf(lock) }
end

local count = countAfter(held or 0, tonumber(holds), tonumber(stale), rememberMs)
for number = count + 1, held or 0 do
  redis.call('del', markerOf(markers, owner, number)) -- of holds that the reader has lost by its own clock
end
redis.call('hsetnx', lock, 'mode', 'read')
if count ~= held then
  redis.call('hset', lock, owner, count)
end
redis.call('set', markerOf(markers, owner, count), '1', 'px', leaseMs)
extend(lock, leaseMs)
rememberTaken(request, leaseMs, rememberMs)
return { 1, count }

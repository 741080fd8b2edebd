-- Take the lock for one more hold, or report how long the present holder still has.
--
-- The lock is a hash of owner -> hold count, so the same owner may enter again. Entering again never shortens the lease
-- that an earlier hold was promised.
--
-- holds: the count that the owner will reach by this, or 0 if it cannot know.
-- Returns {1, count} when taken, otherwise {0, milliseconds left}; -1 stands for no end in sight.

local lock, request = KEYS[1], KEYS[2]
local leaseMs, owner, holds, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local answered = redis.call('get', request)
local leftMs = redis.call('pttl', lock)

if leftMs == -2 and not answered then
  redis.call('hset', lock, owner, 1)
  redis.call('pexpire', lock, leaseMs)
  remember(request, 'taken', rememberMs)
  return { 1, 1 }
end

local held, wrongType = holdsOf(lock, owner)
if wrongType then
  return wrongType
end
if answered == 'taken' and held then
  return { 1, held }
end
if answered or not held then
  remember(request, 'refused', rememberMs)
  return { 0, leftMs }
end

-- That the count is reached already shows that an earlier copy of the request has run, which leaves no answer behind. So
-- it does for an owner who believed to be outside: the answer to what let it in was lost.
local again = tonumber(rememberMs) > 0 or holds == '1'
local counted = again and tonumber(holds) > 0 and held >= tonumber(holds)
if not counted then
  held = redis.call('hincrby', lock, owner, 1)
end
if leftMs < tonumber(leaseMs) then
  redis.call('pexpire', lock, leaseMs)
end
remember(request, 'taken', rememberMs)
return { 1, held }

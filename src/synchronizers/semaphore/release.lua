-- Put permits into the semaphore, and notify waiters.
--
-- ifExists: whether only a semaphore that is there shall have them, if this is 1.
-- Returns 1 if it has them, otherwise 0; and how many clients heard of them, 0 for a copy.

local semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3]
local permits, ifExists, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return { tonumber(remembered), 0 }
end

local released = (available or ifExists == '0') and 1 or 0
local heard = 0
if released == 1 then
  needNoMemory(request)
  heard = putBack(semaphore, channel, permits, publish)
end
remember(request, released, rememberMs)
return { released, heard }

-- Run a request once, however often it arrives: copies get the reply of the first one.
--
-- The key under which the reply is kept, and for how many milliseconds, come last, so that the request itself finds its keys and
-- arguments in their places. An error is kept as well, and a reply however large it is: of what the request has removed, it is the only copy. It takes
-- memory until the client has the reply, or until it expires. Of a reply that is nested too deep it is kept only that it was given.

local once, onceMs = table.remove(KEYS), table.remove(ARGV)

-- What is nested deeper is cut off by cmsgpack.
local DEEPEST = 16

local kept = redis.call('get', once)
if kept == '' then
  return redis.error_reply('FAILED ANSWERLOST it has run, and its reply was not kept')
elseif kept then
  return cmsgpack.unpack(kept)
end

-- The message of an error reply, if a value is one.
local function errorIn(value)
  local message = type(value) == 'table' and rawget(value, 'err')
  return type(message) == 'string' and message or nil
end

-- The first write is the only one that Redis may refuse. If this one is refused, nothing has run. If not, a copy finds that the request has
-- begun, whatever became of it.
--
-- A server without memory refuses it, but not what needs no memory. There the request runs first: its own first write is refused,
-- or else nothing is from then on, and what became of it is kept at its end. A script of the program may have published before its first write, so
-- it does not begin.
local refusal = errorIn(redis.pcall('set', once, '', 'px', onceMs))
local isFull = refusal and string.find(refusal, 'OOM command', 1, true)
if refusal and (isOfProgram or not isFull) then
  redis.call('set', once, '', 'px', onceMs) -- refused once more, in the words of Redis
end

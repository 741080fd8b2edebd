-- Run a request once, however often it arrives: copies get the reply of the first one.
--
-- The key under which the reply is kept, and for how many milliseconds, come last, so that the request itself finds its keys and
-- arguments in their places. An error is kept as well. Of a reply that is too large or nested too deep it is kept only that it was given.

local once, onceMs = table.remove(KEYS), table.remove(ARGV)

local LARGEST_BYTES = 65536

-- What is nested deeper is cut off by cmsgpack.
local DEEPEST = 16

local kept = redis.call('get', once)
if kept == '' then
  return redis.error_reply('FAILED ANSWERLOST it has run, and its reply was not kept')
elseif kept then
  return cmsgpack.unpack(kept)
end

-- The first write is the only one that Redis may refuse. If this one is refused, nothing has run. If not, a copy finds that the request has
-- begun, whatever became of it.
redis.call('set', once, '', 'px', onceMs)

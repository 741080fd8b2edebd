-- Withdraw a request that is run once: a copy that arrives later gets an error, and has no effect. Nothing happens if one has run already.
--
-- Returns 1 if none has run, so that none will.

local once = KEYS[1]
local keptMs = ARGV[1]

-- What copies get for a reply: see `once.lua`.
local withdrawn = cmsgpack.pack({ err = 'FAILED ERR it was withdrawn' })

redis.call('set', once, withdrawn, 'px', keptMs, 'nx')
return redis.call('get', once) == withdrawn and 1 or 0

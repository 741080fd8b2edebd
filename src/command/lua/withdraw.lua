-- Withdraw a request that is run once: a copy that arrives later gets an error, and has no effect. Nothing happens if one has run already.
--
-- Returns 1 if none has run, so that none will.

local once = KEYS[1]
local keptMs = ARGV[1]

-- What copies get for a reply: see `once.lua`.
local withdrawn = cmsgpack.pack({ err = 'FAILED ERR it was withdrawn' })

local kept = redis.call('get', once)
if not kept then
  redis.call('del', once) -- there is none: Redis refuses no write for want of memory after one that needs none
  redis.call('set', once, withdrawn, 'px', keptMs)
end
return (kept or withdrawn) == withdrawn and 1 or 0

-- Read what clients have replied, and keep it for longer.
--
-- lifeMs: for how many milliseconds from now on.
-- Returns {how many have replied, the sum as text}.

local counter, semaphore = KEYS[1], KEYS[2]
local lifeMs = ARGV[1]

redis.call('pexpire', counter, lifeMs)
redis.call('pexpire', semaphore, lifeMs)
return { tonumber(redis.call('get', semaphore) or 0), redis.call('get', counter) or '0' }

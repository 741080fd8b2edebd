-- Take back what was granted to a request to acquire, if anything was, and let no copy of it get anything from now on.
--
-- A grant of which others have released a part in the meantime is left to end by itself.
--
-- request: that of the acquisition. undoneMs: how long a copy of it may still be under way.
-- Returns 1 if something was taken back, otherwise 0.

local value, clientValue, grants, clientGrants, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local permits, nonce, undoneMs = ARGV[1], ARGV[2], ARGV[3]

remember(request, 'undone', undoneMs)
local grant = newGrant(nonce, permits)
if redis.call('zrem', clientGrants, grant) == 1 then
  value = clientValue
elseif redis.call('zrem', grants, grant) == 0 then
  return 0
end
if redis.call('exists', value) == 1 then
  redis.call('incrby', value, permits)
end
return 1

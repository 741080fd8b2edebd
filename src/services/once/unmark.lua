-- Remove the mark of a run, and let no copy of the request that has set it set it again.
--
-- request: that which has set the mark. undoneMs: how long a copy of it may still be under way, 0 if none is.
-- Returns 1 if the mark was there, otherwise 0.

local mark, request = KEYS[1], KEYS[2]
local token, undoneMs = ARGV[1], ARGV[2]

remember(request, 'undone', undoneMs)
if redis.call('get', mark) ~= token then
  return 0
end
redis.call('del', mark)
return 1

-- Give a node number back.
--
-- used: the last millisecond of which its holder has an id, after which the next holder begins; 0 for none.
-- Returns 1 if the number was held by the token, otherwise 0.

local hash, bounds = KEYS[1], KEYS[2]
local token, used = ARGV[1], ARGV[2]

local wrongType = otherKind(hash, 'hash layout')
if wrongType then
  return wrongType
end
local number, from = heldBy(hash, token)
if not number then
  if redis.call('exists', hash) == 0 then
    leaveBounds(bounds)
  end
  return 0
end
noticeLoss(hash, bounds, 0, serverTimeMs())
redis.call('hdel', hash, token, 'node:' .. number)
redis.call('zadd', bounds, math.max(tonumber(used), from - 1), number)
expireBounds(hash, bounds)
return 1

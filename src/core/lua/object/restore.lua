-- Make the object of what was dumped.
--
-- ttlMs: after how many milliseconds it is gone again; 0 for never. replace: whether an object that is there is replaced, if this is 1.
-- kind: see otherKind(). channel, message: see wakeWaiters(). ends: by which the entries of what is replaced end.
-- Returns 1 if it was restored, or 0 if there is an object. What is the state of another kind of object is refused.

local object, ends = KEYS[1], restOf(KEYS, 2)
local state, ttlMs, replace, kind, channel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local wrongType = otherKind(object, kind)
if wrongType then
  return wrongType
end

local isThere = redis.call('exists', object) == 1
if isThere and replace ~= '1' then
  return 0
end

-- Only the server can tell of which kind a state is, and only once it is restored.
local before = isThere and kind ~= '' and redis.call('dump', object)
local leftMs = redis.call('pttl', object)
redis.call('restore', object, ttlMs, state, 'replace')
if otherKind(object, kind) then
  redis.call('unlink', object)
  if before then
    redis.call('restore', object, leftMs == -1 and 0 or math.max(leftMs, 1), before)
  end
  return redis.error_reply('ERR the state of an object of another kind')
end
for _, key in ipairs(ends) do
  redis.call('unlink', key)
end
wakeWaiters(publish, channel, message, object)
return 1

-- Have the object expire, with all its keys.
--
-- moment: when, in milliseconds since 1970; empty for ttlMs from now on. condition: 'set' if it has to expire already and 'unset' if it
-- may not, 'later' or 'earlier' than it does, where never is later than any moment; empty for any. kind: see otherKind().
-- Returns 1 if it expires then, otherwise 0.

local object, others = KEYS[1], restOf(KEYS, 2)
local moment, ttlMs, condition, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = otherKeys(object, others)

local before = expiresAt(object)
local at = tonumber(moment) or serverTimeMs() + tonumber(ttlMs)
local isNever = before == -1
local isMet = {
  [''] = true,
  set = not isNever,
  unset = isNever,
  later = not isNever and at > before,
  earlier = isNever or at < before,
}

local expires = before ~= -2 and isMet[condition] and 1 or 0
if expires == 1 then
  for _, key in ipairs(others) do
    redis.call('pexpireat', key, string.format('%.0f', expiryOf(object, key, at)))
  end
  redis.call('pexpireat', object, string.format('%.0f', at))
end
return expires

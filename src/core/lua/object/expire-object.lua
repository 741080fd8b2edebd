-- Has an object expire, with all its keys. Returns 1 if it expires then, otherwise 0, or an error.
--
-- The arguments are those of expire.lua.
local function expireObject(object, others, moment, ttlMs, condition, kind)
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
end

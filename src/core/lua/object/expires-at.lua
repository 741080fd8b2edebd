-- When a key expires, in milliseconds since 1970; -1 if it does not, and -2 if it is not there.
local function expiresAt(key)
  local moment = redis.pcall('pexpiretime', key)
  if type(moment) == 'number' then
    return moment
  end
  local leftMs = redis.call('pttl', key) -- Redis before 7.0 knows only this
  return leftMs < 0 and leftMs or serverTimeMs() + leftMs
end

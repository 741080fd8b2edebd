-- The token of the present hold: a new one if it has none yet.
local function tokenFor(token, isNew)
  local present = not isNew and redis.call('get', token)
  return tonumber(present or redis.call('incr', token))
end

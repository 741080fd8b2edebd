-- The token of the present hold: a new one if its owner has come in just now.
local function tokenFor(token, cameIn)
  local present = not cameIn and redis.call('get', token)
  return tonumber(present or redis.call('incr', token))
end

-- Whether a token is no smaller than all that were seen; then it has been seen from now on.
local function see(seen, token)
  local largest = tonumber(redis.call('get', seen) or 0)
  if tonumber(token) < largest then
    return false, largest
  end
  if tonumber(token) > largest then
    redis.call('set', seen, token)
  end
  return true, largest
end

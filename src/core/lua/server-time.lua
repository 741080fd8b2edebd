-- The server's clock, in milliseconds: the one clock that all processes share.
local function serverTimeMs()
  local seconds, micros = unpack(redis.call('time'))
  return seconds * 1000 + math.floor(micros / 1000)
end

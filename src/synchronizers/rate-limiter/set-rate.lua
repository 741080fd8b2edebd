-- Set the rate.
--
-- mode: 0 for all clients together, 1 for each of them. onlyIf: whether it has to be 'absent' or 'present', or 'any'.
-- keepState: whether what was granted lately counts against the new rate, if this is 1.
-- Returns 1 if it was set, otherwise 0.

local limiter, value, clientValue, grants, clientGrants, request =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local mode, rate, intervalMs, keepAliveMs, onlyIf, keepState, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local before, wrongType = settingsOf(limiter)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end
if (onlyIf == 'absent' and before) or (onlyIf == 'present' and not before) then
  remember(request, 0, rememberMs)
  return 0
end

store(limiter, mode, rate, intervalMs, keepAliveMs)
if before and before.keepAliveMs > 0 then
  redis.call('persist', limiter)
end
if tonumber(keepAliveMs) > 0 then
  redis.call('pexpire', limiter, keepAliveMs)
end

if keepState == '1' and before and before.mode == mode then
  if mode == '1' then
    value, grants = clientValue, clientGrants
  end
  local settings = settingsOf(limiter)
  redis.call('zremrangebyscore', grants, '-inf', serverTimeMs() - settings.interval)
  redis.call('set', value, countAnew(grants, settings.rate))
  redis.call('persist', grants) -- as the number does, which has been set anew
  forgetTogether(limiter, value, grants, settings)
else
  redis.call('unlink', value, clientValue, grants, clientGrants)
end
remember(request, 1, rememberMs)
return 1

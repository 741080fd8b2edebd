-- Grant permits, if that many are left.
--
-- nonce: 16 bytes that identify this grant. exact: whether it matters how many are left, if this is 1; otherwise fewer may be
-- reported. mode, rate, intervalMs, keepAliveMs: what the limiter is set to if it is not there; rate is 0 if it has to be there.
-- Returns {1 if they were granted or 0, how many are left now, milliseconds until there will be enough}.

local limiter, value, clientValue, grants, clientGrants, request =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local permits, nonce, exact, mode, rate, intervalMs, keepAliveMs, rememberMs =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local settings, refusal = demandSettings(limiter)
local isNew = not settings and tonumber(rate) > 0 and redis.call('exists', limiter) == 0
if isNew then
  settings = {
    rate = tonumber(rate),
    interval = tonumber(intervalMs),
    mode = mode,
    keepAliveMs = tonumber(keepAliveMs),
  }
elseif refusal then
  return refusal
end
if tonumber(permits) > settings.rate then
  return redis.error_reply(string.format('RATE_TOO_LOW %.0f in %.0f ms', settings.rate, settings.interval))
end
if isNew then
  store(limiter, mode, rate, intervalMs, keepAliveMs)
  redis.call('unlink', value, clientValue, grants, clientGrants)
end
if settings.mode == '1' then
  value, grants = clientValue, clientGrants
end

local now, wanted = serverTimeMs(), tonumber(permits)
local left, noted = settle(value, grants, settings, now, exact == '1' and math.huge or wanted)
local grant = newGrant(nonce, permits)
local remembered = redis.call('get', request)

-- That there is such a grant already shows that an earlier copy of the request has run, which leaves no reply behind.
if not remembered and tonumber(rememberMs) > 0 and redis.call('zscore', grants, grant) then
  remembered = 'taken'
end
local fits = not remembered and left >= wanted
if fits then
  left = left - wanted
  redis.call('zadd', grants, now, grant)
  if noted then
    redis.call('decrby', value, permits)
  else
    redis.call('set', value, left)
  end
  remembered = 'taken'
end
remember(request, remembered or 'refused', rememberMs)
if fits or settings.keepAliveMs > 0 then
  forgetTogether(limiter, value, grants, settings)
end
if remembered == 'taken' then
  return { 1, math.max(left, 0), 0 }
end
return { 0, math.max(left, 0), readyIn(grants, left, wanted, settings, now) }

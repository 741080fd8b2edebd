-- Grant permits, if so many are left.
--
-- nonce: 16 bytes that tell this grant from all others.
-- Returns {1 if they were granted or 0, how many are left now, milliseconds until there will be enough}.

local limiter, value, clientValue, grants, clientGrants, request =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local permits, nonce, rememberMs = ARGV[1], ARGV[2], ARGV[3]

local settings, refusal = demandSettings(limiter)
if refusal then
  return refusal
end
if tonumber(permits) > settings.rate then
  return redis.error_reply('RATE_TOO_LOW')
end
if settings.mode == '1' then
  value, grants = clientValue, clientGrants
end

local now = serverTimeMs()
local left = settle(value, grants, settings, now)
local grant = newGrant(nonce, permits)
local answered = redis.call('get', request)

-- That there is such a grant already shows that an earlier copy of the request has run, which leaves no answer behind.
if not answered and redis.call('zscore', grants, grant) then
  answered = 'taken'
end
if not answered and left >= tonumber(permits) then
  left = left - tonumber(permits)
  setLeft(value, left)
  redis.call('zadd', grants, now, grant)
  answered = 'taken'
end
remember(request, answered or 'refused', rememberMs)
forgetTogether(limiter, value, grants, settings)
if answered == 'taken' then
  return { 1, left, 0 }
end
return { 0, left, readyIn(grants, left, tonumber(permits), settings, now) }

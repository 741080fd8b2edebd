-- The rest of `release.lua`: more permits, leases that have ended, or a copy.
local _, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

sweep(semaphore, timeouts, channel, serverTimeMs(), publish)
local permits = idsIn(ids)
for _, id in ipairs(permits) do
  if not redis.call('zscore', timeouts, id) then
    remember(request, 0, rememberMs)
    return 0
  end
end

for _, id in ipairs(permits) do
  redis.call('zrem', timeouts, id)
end
local available = putBack(semaphore, #permits)
announce(channel, #permits == 1 and available or #permits, available, publish)
remember(request, 1, rememberMs)
return 1

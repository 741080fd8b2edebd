-- A request that counts may reach the server more than once, and late. Its changes are recorded under its own key,
-- so that a copy changes nothing. On the usual way, where the first reply arrives, there is no such key.

-- Keeps the reply to a request, unless no copy can follow.
local function remember(request, answer, rememberMs)
  if tonumber(rememberMs) > 0 then
    redis.call('set', request, answer, 'px', rememberMs)
  end
end

-- Has Redis accept the writes that follow although it has no memory: of a script it refuses the first write only, and no removal. Nothing is
-- kept of the request yet.
local function needNoMemory(request)
  redis.call('del', request)
end

-- Keeps that a request has taken something, for as long as it may have to be released: until its lease ends.
local function rememberTaken(request, leaseMs, rememberMs)
  if tonumber(rememberMs) > 0 then
    remember(request, 'taken', string.format('%.0f', rememberMs + leaseMs))
  end
end

-- A request that counts may reach the server more than once, and late. Whatever it changed is told by its own key, so
-- that a copy changes nothing. On the usual way, where the first answer arrives, there is no such key.

-- Keeps the answer to a request, unless nobody will ask for it again.
local function remember(request, answer, rememberMs)
  if tonumber(rememberMs) > 0 then
    redis.call('set', request, answer, 'px', rememberMs)
  end
end

-- Keeps that a request has taken something, for as long as it may have to be given back: until its lease ends.
local function rememberTaken(request, leaseMs, rememberMs)
  if tonumber(rememberMs) > 0 then
    remember(request, 'taken', string.format('%.0f', rememberMs + leaseMs))
  end
end

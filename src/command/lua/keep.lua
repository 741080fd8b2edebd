-- Whether cmsgpack packs all of a value.
local function isShallow(value, depth)
  if type(value) ~= 'table' then
    return true
  elseif depth == DEEPEST then
    return false
  end
  for _, item in pairs(value) do
    if not isShallow(item, depth + 1) then
      return false
    end
  end
  return true
end

-- An error of the request, which has begun: `FAILED` says so, because the request may choose the words that the server has for a refusal.
local function failed(message)
  local code = string.match(message, '^[A-Z]+ ') and '' or 'ERR '
  return redis.error_reply('FAILED ' .. code .. message)
end

local succeeded, answer = pcall(request)
local message = errorIn(answer) or not succeeded and tostring(answer)
if message then
  answer = failed(message)
end
local packed = isShallow(answer, 0) and cmsgpack.pack(answer) or ''
if isFull and not message then
  -- The request may have written nothing, and then its reply would be refused, as the first write. A removal never is.
  redis.call('del', once)
end
-- Refused only where the server has no memory and the request has failed before it wrote anything: nothing has run.
redis.call('set', once, packed, 'px', onceMs)
return answer

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

-- The message of an error reply, if a value is one.
local function errorIn(value)
  local message = type(value) == 'table' and rawget(value, 'err')
  return type(message) == 'string' and message or nil
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
redis.call('set', once, #packed > LARGEST_BYTES and '' or packed, 'px', onceMs)
return answer

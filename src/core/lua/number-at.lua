-- The whole number under a key; nil if there is none. For a name that belongs to something else, the error as well.
local function numberAt(key)
  local text = redis.call('get', key)
  if text and not string.match(text, '^-?%d+$') then
    return nil, redis.error_reply('WRONGTYPE the name belongs to something that is no number')
  end
  return text and tonumber(text) or nil
end

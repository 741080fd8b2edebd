-- The number under a key; nil if there is none. For a name that belongs to something else, the error as well.
local function valueAt(key)
  local text = redis.call('get', key)
  if not text then
    return nil
  end
  local number = numberOf(text)
  if not number then
    return nil, redis.error_reply('WRONGTYPE the name belongs to something that is no such number')
  end
  return number
end

-- Refuses a key that belongs to an object of another kind. Returns the error, or nothing.
--
-- kind: 'number'; the type of the key, as in 'hash'; that and a field that it has, as in 'hash rate'; 'none' for
-- an object that no key holds; or nothing for any type. Behind a slash there may be the type of the other key of the object, as in 'hash size/string'.
-- other: that key, if the script is given it.
local function otherKind(key, kind, other)
  local own, others = string.match(kind, '^(.+)/(.+)$')
  if own then
    return otherKind(key, own) or other and otherKind(other, others) or nil
  end
  local there = redis.call('type', key).ok
  if kind == '' or kind == there or there == 'none' then
    return nil
  end
  local field = string.match(kind, '^hash (.+)$')
  if field and there == 'hash' and redis.call('hexists', key, field) == 1 then
    return nil
  end
  if kind == 'number' and there == 'string' and string.match(redis.call('get', key), '^-?%d+$') then
    return nil
  end
  return redis.error_reply('WRONGTYPE the name belongs to an object of another kind')
end

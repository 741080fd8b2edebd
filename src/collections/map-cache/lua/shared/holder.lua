-- Who has the lease of an entry: the token, if it may be of this entry. Two maps whose names have a hash tag may have one key for the leases of two entries,
-- whose own keys differ in length. That length ends a token, unless it is of a client in Java.
local function holderOf(field)
  local token = redis.call('get', lease)
  local length = token and string.match(token, ':(%d+)$')
  return (not length or tonumber(length) == #field) and token
end

-- Ends the lease of an entry. As the last change: a script whose first write needs no memory is never refused any.
local function endLease(field)
  if holderOf(field) then
    redis.call('del', lease)
  end
end

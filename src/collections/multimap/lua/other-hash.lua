-- Whether a field of a hash has what those of a multimap have: the hash of a key, which the key of its values ends with.
local function isHash(value)
  return #value == 22 and string.find(value, '^[%w+/]+$') ~= nil
end

local function otherHash()
  return redis.error_reply('WRONGTYPE the name belongs to a hash of another kind')
end

-- Refuses a hash that belongs to another kind of object, by the field that is asked for, or by any one if that is not there. Returns the error, or
-- nothing; and whether the multimap has the field.
local function fieldOf(multimap, field, hash)
  local found = redis.call('hget', multimap, field)
  if found then
    return found ~= hash and otherHash() or nil, true
  end
  local other = redis.call('hrandfield', multimap, 1, 'withvalues')[2]
  return other and not isHash(other) and otherHash() or nil, false
end

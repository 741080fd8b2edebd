-- Whether it is the other key of an object that has the name of the object. Without the first key, it belongs to an object of another kind.
--
-- kind: see otherKind().
local function isNamedByOther(kind)
  return string.find(kind, '/', 1, true) ~= nil
end

-- The other keys that belong to the object: see otherKeys().
local function ownKeys(object, kind, others)
  if isNamedByOther(kind) and redis.call('exists', object) == 0 then
    return {}
  end
  return otherKeys(object, others)
end

-- Whether an object of any kind has the name of one that would have this first key, and this other one.
--
-- database: where; empty for that of the client, which is home.
local function isTaken(kind, target, other, database, home)
  if database ~= '' then
    redis.call('select', database)
  end
  local isThere = redis.call('exists', target) == 1
  if not isThere and isNamedByOther(kind) then
    isThere = redis.call('exists', other) == 1
  end
  if database ~= '' then
    redis.call('select', home)
  end
  return isThere
end

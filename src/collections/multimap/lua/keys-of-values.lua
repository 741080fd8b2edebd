-- The hashes of all keys of a multimap. What cannot be one is left out: the field of another kind of object may name any key.
local function hashesIn(multimap)
  local hashes = {}
  if redis.call('type', multimap).ok ~= 'hash' then
    return hashes
  end
  for _, hash in ipairs(redis.call('hvals', multimap)) do
    if isHash(hash) then
      hashes[#hashes + 1] = hash
    end
  end
  return hashes
end

local function hashesInDatabase(multimap, database, home)
  if database == '' then
    return hashesIn(multimap)
  end
  redis.call('select', database)
  local hashes = hashesIn(multimap)
  redis.call('select', home)
  return hashes
end

-- The keys with the values of a multimap; if there is a target, each is followed by the one that it becomes. Those that the target had before
-- are among these: nothing becomes of a key that is not there.
--
-- given: what the keys begin with; then what those of the target begin with; then all keys that the multimap has besides. database: that of the
-- target; empty for the same. home: that of the client.
local function otherKeys(multimap, given, target, database, home)
  local keys = restOf(given, target and 3 or 2)
  local isListed = {}
  local function list(hash)
    if isListed[hash] then
      return
    end
    isListed[hash] = true
    keys[#keys + 1] = given[1] .. hash
    if target then
      keys[#keys + 1] = given[2] .. hash
    end
  end
  for _, hash in ipairs(hashesIn(multimap)) do
    list(hash)
  end
  if target then
    for _, hash in ipairs(hashesInDatabase(target, database, home)) do
      list(hash)
    end
  end
  return keys
end

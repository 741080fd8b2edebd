-- When the values of each key expire, if the multimap does not: with the key. The ends are read before anything is changed.
local endsByHash
local function endOfKeyWith(multimap, values)
  if not endsByHash then
    endsByHash = {}
    local named = redis.call('hgetall', multimap)
    for place = 1, #named, 2 do
      endsByHash[named[place + 1]] = endOfKey(multimap, named[place])
    end
  end
  return endsByHash[string.sub(values, -22)] or -1
end

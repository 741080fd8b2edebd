-- Removes the log of a map that is copied or gets another name: its records are about another past. A client that has missed messages drops all then.
local function otherKeys(_, others)
  if others[1] then
    redis.call('unlink', others[1])
  end
  return others
end

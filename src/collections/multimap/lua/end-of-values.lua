-- When the values of a key expire, in milliseconds since 1970: with the multimap; -1 for never.
local function endOfValues(multimap)
  return expiresAt(multimap)
end

-- Prepares the values of a key that the multimap does not name yet: those that Redisson has stored without the key are the key's.
local function beginKey() end

-- When the values of a key expire, in milliseconds since 1970: with the multimap; -1 for never.
local function endOfValues(multimap)
  return expiresAt(multimap)
end

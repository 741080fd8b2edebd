-- When the values of a key expire, in milliseconds since 1970: with the key or with the multimap; -1 for never.
local function endOfValues(multimap, field)
  return firstOf(endOfKey(multimap, field), expiresAt(multimap))
end

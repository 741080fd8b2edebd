-- When the values of a key expire, if the multimap does so at a moment: with the key, if that ends before.
local function expiryOf(multimap, values, moment)
  return firstOf(endOfKeyWith(multimap, values), moment)
end

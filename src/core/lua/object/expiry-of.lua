-- When another key of an object expires, if the object does so at a moment: at the same.
local function expiryOf(_, _, moment)
  return moment
end

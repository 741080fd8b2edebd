-- What an element of a list is compared by: itself.
local function valueOf(element)
  return element
end

-- The values of a list from one place on. `unpack` does that too, but only for some 8 000 of them.
local function restOf(list, first)
  local rest = {}
  for place = first, #list do
    rest[place - first + 1] = list[place]
  end
  return rest
end

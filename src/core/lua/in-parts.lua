-- Pass values to a function, as often as it takes: a call takes less than 8 000. Pairs stay together.
local function inParts(values, pass)
  local MOST = 5000
  for first = 1, #values, MOST do
    pass(unpack(values, first, math.min(first + MOST - 1, #values)))
  end
end

-- The items of one list, and then those of another.
local function joined(first, second)
  local all = { unpack(first) }
  for _, item in ipairs(second) do
    all[#all + 1] = item
  end
  return all
end

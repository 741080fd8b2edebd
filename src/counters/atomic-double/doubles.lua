-- Numbers with a fraction, which are the same in Lua and in the programs.

local zero = 0

-- The number that a text says in decimal digits; nil for what is none.
local function numberOf(text)
  return string.match(text, '^[-+%d.eE]+$') and tonumber(text) or nil
end

-- Whether one number is less than another.
local function isLess(one, another)
  return one < another
end

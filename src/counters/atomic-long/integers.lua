-- Integers as texts: a number of Lua loses digits from 2^53 on.

local zero = '0'

-- The text of an integer as it is compared, with no zeros in front; nil for what is no integer.
local function numberOf(text)
  local sign, digits = string.match(text, '^(-?)0*(%d+)$')
  if not digits then
    return nil
  end
  return digits == zero and zero or sign .. digits
end

-- Whether one integer is less than another.
local function isLess(one, another)
  local negative = string.sub(one, 1, 1) == '-'
  if negative ~= (string.sub(another, 1, 1) == '-') then
    return negative
  end
  local smaller, larger = one, another
  if negative then
    smaller, larger = another, one
  end
  if #smaller ~= #larger then
    return #smaller < #larger
  end
  return smaller < larger
end

-- Whether a number compares with a limit as is said.
--
-- comparison: one of <, <=, >, >=, == and !=. What numbers are, and which of two is less, is left to isLess().
local function compares(number, comparison, limit)
  local less, greater = isLess(number, limit), isLess(limit, number)
  if comparison == '<' then
    return less
  elseif comparison == '<=' then
    return not greater
  elseif comparison == '>' then
    return greater
  elseif comparison == '>=' then
    return not less
  elseif comparison == '==' then
    return not less and not greater
  end
  return less or greater
end

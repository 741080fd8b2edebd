-- Remove the element of an index, which counts from the back if it is below zero. Returns it; false if there is none.
--
-- mark: a value that no list has. It takes the place of the element, because Redis removes values by what they are.
local function takeOut(list, index, mark)
  local element = redis.call('lindex', list, index)
  if not element then
    return false
  elseif index == '0' then
    return redis.call('lpop', list)
  elseif index == '-1' then
    return redis.call('rpop', list)
  end
  redis.call('lset', list, index, mark)
  redis.call('lrem', list, tonumber(index) < 0 and -1 or 1, mark)
  return element
end

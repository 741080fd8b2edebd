-- Look for values in a list, page by page. What its elements are compared by is valueOf().
--
-- Returns 1 if the list has all of them, otherwise 0.

local list = KEYS[1]
local values = ARGV

local PAGE = 5000

local missing, count = {}, 0
for _, value in ipairs(values) do
  if not missing[value] then
    missing[value] = true
    count = count + 1
  end
end
for first = 0, redis.call('llen', list) - 1, PAGE do
  for _, element in ipairs(redis.call('lrange', list, first, first + PAGE - 1)) do
    local value = valueOf(element)
    if missing[value] then
      missing[value] = nil
      count = count - 1
    end
  end
  if count == 0 then
    return 1
  end
end
return 0

-- Look for values among the records, page by page.
--
-- Returns 1 if there is a record for each of them, otherwise 0.

local records = KEYS[1]
local values = ARGV

local PAGE = 5000

local missing, count = {}, 0
for _, value in ipairs(values) do
  if not missing[value] then
    missing[value] = true
    count = count + 1
  end
end
for first = 0, redis.call('llen', records) - 1, PAGE do
  for _, record in ipairs(redis.call('lrange', records, first, first + PAGE - 1)) do
    local value = valueOf(record)
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

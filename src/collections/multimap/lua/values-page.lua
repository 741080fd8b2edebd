-- Some keys of a multimap. Returns the cursor of the next ones, their fields, and the keys that have their values; and an error, if the hash
-- belongs to another kind of object.
--
-- All of them where there are no more than count, so that they are of one moment.
local function valuesPage(multimap, prefix, cursor, count)
  local page
  if cursor == '0' and redis.call('hlen', multimap) <= tonumber(count) then
    page = { '0', redis.call('hgetall', multimap) }
  else
    page = redis.call('hscan', multimap, cursor, 'count', count)
  end
  local fields, values = {}, {}
  for i = 1, #page[2], 2 do
    if not isHash(page[2][i + 1]) then
      return '0', {}, {}, otherHash()
    end
    fields[#fields + 1] = page[2][i]
    values[#values + 1] = prefix .. page[2][i + 1]
  end
  return page[1], fields, values
end

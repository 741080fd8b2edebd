-- Apply a new limit of the size: note some entries that are not known to have been used, or remove what is too much.
--
-- cursor, count: which are noted; an empty cursor once all of them are. Returns the next cursor, or 1 if there is still too much, otherwise 0.

local publish, cursor, count = ARGV[1], ARGV[2], ARGV[3]
publishing = publish

if maxSize() == 0 then
  return '0'
elseif cursor == '' then
  return makeRoom() and '1' or '0'
end
local page = redis.call('hscan', map, cursor, 'count', count)
for place = 1, #page[2], 2 do
  expireWithMap(access, redis.call('zadd', access, 'nx', 0, page[2][place]))
end
return page[1]

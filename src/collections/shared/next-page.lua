-- Take the next page of a walk that several clients make together.
--
-- cursor: where the walk goes on, -1 after its end; 0 where it is not there. `pageFrom` reads a page, by `source`. Returns the cursor of the
-- page after this one, 0 for none, and what there is on the page.

local set, cursor = KEYS[1], KEYS[2]
local count, keptSeconds, source = ARGV[1], ARGV[2], restOf(ARGV, 3)

local start = redis.call('get', cursor) or '0'
if start == '-1' then
  return { '0', {} }
end
local page = pageFrom(set, source, start, count)
redis.call('set', cursor, page[1] == '0' and '-1' or page[1], 'ex', keptSeconds)
return page

-- Take the next page of a walk that several clients make together.
--
-- cursor: where the walk goes on, -1 after its end; 0 where it is not there. `scan` is the command that reads a page. Returns the cursor of
-- the page after this one, 0 for none, and what the command has read.

local set, cursor = KEYS[1], KEYS[2]
local scan, pattern, count, keptSeconds = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local start = redis.call('get', cursor) or '0'
if start == '-1' then
  return { '0', {} }
end
local page = redis.call(scan, set, start, 'match', pattern, 'count', count)
redis.call('set', cursor, page[1] == '0' and '-1' or page[1], 'ex', keptSeconds)
return page

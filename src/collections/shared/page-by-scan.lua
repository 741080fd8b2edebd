-- Read a page by a command that scans.
--
-- source: the command, and a pattern. Returns the cursor of the page after this one, 0 for none, and what the command has read.

local function pageFrom(set, source, start, count)
  return redis.call(source[1], set, start, 'match', source[2], 'count', count)
end

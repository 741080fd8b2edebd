-- Read a page of a set cache.
--
-- source: a pattern. Returns the cursor of the page after this one, 0 for none, and the values that have not ended.

local function pageFrom(set, source, start, count)
  local page = redis.call('zscan', set, start, 'match', source[1], 'count', count)
  local values = {}
  for place = 1, #page[2], 2 do
    if tonumber(page[2][place + 1]) > now then
      values[#values + 1] = page[2][place]
    end
  end
  return { page[1], values }
end

local SMALLEST_PAGE, LARGEST_PAGE = 16, 5000

-- Redis finds one record in the middle of a long list faster than a script does; it looks for a few, each by a pass of its own.
local FEW, MANY_LOOKED_AT = 10, 1000

-- Marks the records of a page that are due. Returns how many there were.
local function markPage(records, first, last, isDue)
  local count = 0
  for offset, record in ipairs(redis.call('lrange', records, first, last)) do
    if isDue[record] then
      isDue[record] = nil
      mark(records, first + offset - 1)
      count = count + 1
    end
  end
  return count
end

-- Removes different records from the list. Most are near an end of it: near its head where the delays are alike, and near its tail where what
-- was offered last is due first. So pages are read from both ends in turn, each time larger ones.
local function removeDue(records, due)
  local isDue = {}
  for _, record in ipairs(due) do
    isDue[record] = true
  end
  local first, last = 0, redis.call('llen', records) - 1
  local left, fromHead, fromTail = #due, 0, 0
  local page = math.max(SMALLEST_PAGE, left)
  while left > 0 and first <= last and not (left <= FEW and page > MANY_LOOKED_AT) do
    local pageEnd = math.min(first + page - 1, last)
    local found = markPage(records, first, pageEnd, isDue)
    fromHead, left, first = fromHead + found, left - found, pageEnd + 1
    if left > 0 and first <= last then
      local pageStart = math.max(last - page + 1, first)
      found = markPage(records, pageStart, last, isDue)
      fromTail, left, last = fromTail + found, left - found, pageStart - 1
    end
    page = math.min(2 * page, LARGEST_PAGE)
  end
  removeMarks(records, fromHead)
  removeMarks(records, -fromTail)
  if left > 0 and first <= last then
    for _, record in ipairs(due) do
      if isDue[record] then
        redis.call('lrem', records, 1, record)
      end
    end
  end
end

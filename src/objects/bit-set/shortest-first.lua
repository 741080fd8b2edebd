-- Names of bit sets, the shortest first.
--
-- BITOP reads each bit set as far as the longest one reaches, so a long one takes as much time as there are bit sets beside it. Where the short ones are
-- combined before it, all of them together take as much as they have bytes.
local function shortestFirst(names)
  local sorted, lengths = {}, {}
  for place, name in ipairs(names) do
    sorted[place] = name
    lengths[name] = redis.call('strlen', name) -- refuses an object of another kind before anything is written
  end
  table.sort(sorted, function(one, other)
    return lengths[one] < lengths[other]
  end)
  return sorted
end

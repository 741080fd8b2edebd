-- Combine several bit sets into one by AND, OR or XOR, the shortest first. Returns how many bytes there are.
--
-- partial: where the result is until all of them are part of it. It may be the target, unless that is one of the bit sets.

-- How many bit sets a command combines. It reads them by words as far as all of them reach, and byte by byte behind that, which takes ten times as long:
-- with more at a time, more is read by the byte; with fewer, the result is written more often.
local AT_A_TIME = 4

local function combineAll(operation, target, partial, names)
  local sources, first, length = shortestFirst(names), 1
  repeat
    local last = math.min(first + AT_A_TIME - 1, #sources)
    local isAll = last == #sources
    local result = isAll and target or partial
    length = redis.call('bitop', operation, result, unpack(sources, first, last))
    sources[last] = result
    first = last
  until isAll
  return length
end

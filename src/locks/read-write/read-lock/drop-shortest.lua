-- Removes, of a reader's `held` markers, the one with the least time left, so that what remains lasts as long as any of its holds
-- was promised. The markers that remain are numbered from 1.
local function drop(markers, reader, held)
  local last = markerOf(markers, reader, held)
  local shortest, leastMs = last, redis.call('pttl', last)
  for number = 1, held - 1 do
    local marker = markerOf(markers, reader, number)
    local leftMs = redis.call('pttl', marker)
    if leftMs < leastMs then
      shortest, leastMs = marker, leftMs
    end
  end
  if shortest == last then
    redis.call('del', last)
  else
    redis.call('rename', last, shortest)
  end
end

-- Removes the latest of a reader's `held` markers: the one of the request that is taken back.
local function drop(markers, reader, held)
  redis.call('del', markerOf(markers, reader, held))
end

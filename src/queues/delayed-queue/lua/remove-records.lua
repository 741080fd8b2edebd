local PAGE = 5000

-- The records for which a function says of their values that they shall go, up to `most`, and the places of these.
local function unwantedRecords(records, most, isUnwanted)
  local gone, places = {}, {}
  for first = 0, redis.call('llen', records) - 1, PAGE do
    for offset, record in ipairs(redis.call('lrange', records, first, first + PAGE - 1)) do
      if isUnwanted(valueOf(record)) then
        gone[#gone + 1] = record
        places[#places + 1] = first + offset - 1
        if #gone == most then
          return gone, places
        end
      end
    end
  end
  return gone, places
end

-- Removes the first records for which a function says so of their values. Returns 1 if there were any, otherwise 0.
local function removeRecords(records, dueTimes, most, isUnwanted)
  local gone, places = unwantedRecords(records, most, isUnwanted)
  -- First, because Redis refuses no write for want of memory after one that needs none.
  inParts(gone, function(...)
    redis.call('zrem', dueTimes, ...)
  end)
  for _, place in ipairs(places) do
    mark(records, place)
  end
  removeMarks(records, #places)
  return #gone > 0 and 1 or 0
end

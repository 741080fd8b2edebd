-- Stands for a record that shall go, which is never empty. Redis removes all marks by one pass of the list, and each record by one of its own.
local MARK = ''

-- Puts a mark in the place of a record.
local function mark(records, place)
  redis.call('lset', records, place, MARK)
end

-- Removes so many marks: the first ones, or the last ones if the count is below 0.
local function removeMarks(records, count)
  if count ~= 0 then
    redis.call('lrem', records, count, MARK)
  end
end

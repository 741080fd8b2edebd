local PAGE = 5000

-- Looks for the first record that has a value. Returns its index, and the record; -1 if there is none.
local function indexOf(queue, value)
  for first = 0, redis.call('llen', queue) - 1, PAGE do
    for offset, record in ipairs(redis.call('lrange', queue, first, first + PAGE - 1)) do
      if valueOf(record) == value then
        return first + offset - 1, record
      end
    end
  end
  return -1
end

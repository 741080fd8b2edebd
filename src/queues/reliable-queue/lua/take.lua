-- The rest of `take-ready.lua`: messages are due, deliveries have ended, or it is a copy.
local remembered = redis.call('get', request)
if remembered then
  local answer = { nextIn(now) }
  for id, token in string.gmatch(remembered, '(%d+) (%d+)') do
    local record = redis.call('zscore', leases, id .. ' ' .. token) and redis.call('hget', records, id)
    if record then
      local at = #answer
      answer[at + 1], answer[at + 2] = id, tonumber(token)
      answer[at + 3], answer[at + 4] = tonumber(redis.call('hget', facts, 'f' .. id) or 0), record
    end
  end
  return answer
end

-- What is due comes before what is ready: it may have a higher priority.
local added = promote(now, tonumber(places)) + sweep(now, tonumber(most), tonumber(places))
local answer, size = deliverReady(now, nextIn(now))
announce(publish, space, added - size)
return answer

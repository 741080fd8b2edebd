-- The rest of `acknowledge-plain.lua`: others go as well, or it is a copy.
local remembered = redis.call('get', request)
if remembered then
  return remembered
end
needNoMemory(request)

local held, added, ended = {}, 0, 0
for i = 4, #ARGV - 1, 3 do
  local delivery, group, dedup = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local own = redis.call('zrem', leases, delivery)
  held[#held + 1] = own
  if own == 1 then
    added = added + finish(string.sub(delivery, 1, 16), group, dedup, places)
    ended = ended + 1
  end
end
if added > 0 then
  tell(publish, channel, added)
end
if ended > 0 and space ~= '' then
  tell(publish, space, ended)
end
local answer = table.concat(held)
remember(request, answer, rememberMs)
return answer

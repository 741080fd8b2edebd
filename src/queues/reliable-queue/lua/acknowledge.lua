-- The rest of `acknowledge-plain.lua`: others go as well, or it is a copy.
local remembered = redis.call('get', request)
if remembered then
  return remembered
end
needNoMemory(request)

local held, added = {}, 0
local labelled = labels ~= '' and cjson.decode(labels) or {}
for id, token in string.gmatch(members, '(%d+) (%d+)') do
  local own = redis.call('zrem', leases, id .. ' ' .. token)
  held[#held + 1] = own
  local label = labelled[#held] or { '', '' }
  if own == 1 then
    added = added + finish(id, label[1], label[2], tonumber(places))
  end
end
announce(publish, space, added)
local answer = table.concat(held)
remember(request, answer, rememberMs)
return answer

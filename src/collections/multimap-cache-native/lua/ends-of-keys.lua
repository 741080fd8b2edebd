-- When a key of a multimap ends by itself, in milliseconds since 1970; -1 for never. Older servers know no such ends. Any other refusal fails.
local function endOfKey(multimap, field)
  local command = { 'hpexpiretime', multimap, 'fields', 1, field }
  local moments = redis.pcall(unpack(command)) or {}
  if moments.err and string.find(string.lower(moments.err), 'unknown', 1, true) then
    return -1
  elseif moments.err then
    moments = redis.call(unpack(command)) -- fails again, with the error of the server
  end
  local moment = tonumber(moments[1])
  return moment and moment > 0 and moment or -1
end

-- The first of two moments, each of which is -1 for never.
local function firstOf(one, other)
  if one == -1 or other == -1 then
    return math.max(one, other)
  end
  return math.min(one, other)
end

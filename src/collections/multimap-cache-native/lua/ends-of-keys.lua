-- When a key of a multimap ends by itself, in milliseconds since 1970; -1 for never. Older servers know no such ends.
local function endOfKey(multimap, field)
  local moments = redis.pcall('hpexpiretime', multimap, 'fields', 1, field)
  local moment = type(moments) == 'table' and tonumber(moments[1])
  return moment and moment > 0 and moment or -1
end

-- The first of two moments, each of which is -1 for never.
local function firstOf(one, other)
  if one == -1 or other == -1 then
    return math.max(one, other)
  end
  return math.min(one, other)
end

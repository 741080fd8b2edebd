-- Read the count; 0 if there is none.

local latch = KEYS[1]

local count, wrongType = numberAt(latch)
if wrongType then
  return wrongType
end
return count or 0

-- Read for how long messages stay that every subscriber has acknowledged.
--
-- Returns how many milliseconds; 0 for not at all.

local stream = KEYS[1]

for _, group in ipairs(groupsOf(stream)) do
  local historyMs = historyOf(group)
  if historyMs then
    return tonumber(historyMs)
  end
end
return 0

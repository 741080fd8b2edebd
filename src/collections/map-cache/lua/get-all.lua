-- Read the values of many fields, which are used thereby.
--
-- Returns the value of each, or nil.

local fields = ARGV

local values = {}
for place, field in ipairs(fields) do
  local value, idleMs = find(field)
  if value then
    touch(field, idleMs)
  end
  values[place] = value or false
end
return values

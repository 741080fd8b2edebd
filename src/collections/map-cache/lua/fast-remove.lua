-- Remove many fields.
--
-- Returns how many of them had a value.

local publish, fields = ARGV[1], restOf(ARGV, 2)
publishing = publish

local count = 0
for _, field in ipairs(fields) do
  if find(field) then
    count = count + drop(field, 'removed')
  end
end
return count

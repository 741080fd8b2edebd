-- Remove many fields.
--
-- Returns how many of them had a value.

local count = 0
for place = 2, #ARGV do
  if find(ARGV[place]) then
    count = count + drop(ARGV[place], 'removed')
  end
end
return count

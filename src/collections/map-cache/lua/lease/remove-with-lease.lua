-- Remove a field, and the lease under which its value is loaded.
--
-- Returns 1 if the field had a value, otherwise 0.

local publish, field = ARGV[1], ARGV[2]
publishing = publish

local isThere = find(field) ~= nil
if isThere then
  drop(field, 'removed')
end
endLease(field)
return isThere and 1 or 0

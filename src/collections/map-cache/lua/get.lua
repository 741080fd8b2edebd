-- Read an entry, which is used thereby.
--
-- what: 'value', its 'size' in bytes, or whether it is there. Returns that, or nil; of the others 0 if it is not there.

local what, field = ARGV[1], ARGV[2]

local value, idleMs = find(field)
if value then
  touch(field, idleMs)
end
if what == 'value' then
  return value or false
elseif what == 'size' then
  return value and #value or 0
end
return value and 1 or 0

-- Copy the snowflake under another name, with its bounds. What had that name keeps its own: see delete.lua.
--
-- others: its bounds, and those under the new name; then what nothing becomes of, and the ends of entries of what is replaced. database: that of the
-- copy; empty for the same. home: that of the client, in which the script ends. replace: whether an object that has the name is replaced, if this is 1.
-- kind: see otherKind(). No one waits, so there is no channel and no message.
-- Returns 1 if it was copied, or 0 if the name is taken or the object is not there.

local object, target, others = KEYS[1], KEYS[2], restOf(KEYS, 3)
local database, home, replace, kind, newChannel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local bounds, newBounds, ends = others[1], others[2], restOf(others, 3)

local wrongType = otherKind(object, kind)
if wrongType then
  return wrongType
end
local command = { 'copy', object, target, 'db', database == '' and home or database }
if replace == '1' then
  command[#command + 1] = 'replace'
end
local copied = redis.call(unpack(command))
if copied == 1 then
  local state = redis.call('dump', bounds)
  if database ~= '' then
    redis.call('select', database)
  end
  adopt(target, newBounds, state)
  removeEnds(ends)
  if database ~= '' then
    redis.call('select', home)
  end
end
return copied

-- Copy the object under another name, with all its keys and its time to live.
--
-- others: every other key of the object, each followed by that of the copy. database: that of the copy; empty for the same. home: that of
-- the client, in which the script ends. replace: whether an object that has the name is replaced, if this is 1. kind: see otherKind().
-- newChannel, message: see wakeWaiters().
-- Returns 1 if it was copied, or 0 if the name is taken or the object is not there.

local object, target, others = KEYS[1], KEYS[2], restOf(KEYS, 3)
local database, home, replace, kind, newChannel, message, publish =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local wrongType = otherKind(object, kind, others[1])
if wrongType then
  return wrongType
end
others = otherKeys(object, others, target, database, home)

if replace ~= '1' and isTaken(kind, target, others[2], database, home) then
  return 0
end

local function copy(key, newKey)
  local command = { 'copy', key, newKey }
  if database ~= '' then
    command[#command + 1] = 'db'
    command[#command + 1] = database
  end
  command[#command + 1] = 'replace'
  return redis.call(unpack(command))
end

-- Whether there is something to copy. A copy of a hash whose fields have all ended would be one without fields, which Valkey 9 keeps, and fails at.
local function isToCopy()
  if redis.call('type', object).ok ~= 'hash' then
    return true
  end
  local cursor = '0'
  repeat
    local page = redis.call('hscan', object, cursor, 'count', 100)
    cursor = page[1]
    if #page[2] > 0 then
      return true
    end
  until cursor == '0'
  return false
end

local copied = isToCopy() and copy(object, target) or 0
local absent = {}
if copied == 1 then
  for i = 1, #others, 2 do
    if copy(others[i], others[i + 1]) == 0 then
      absent[#absent + 1] = others[i + 1]
    end
  end
  wakeWaiters(publish, newChannel, message, target)
end

-- Leaves nothing of another object beside the copy.
local isElsewhere = #absent > 0 and database ~= ''
if isElsewhere then
  redis.call('select', database)
end
for _, newKey in ipairs(absent) do
  redis.call('unlink', newKey)
end
if isElsewhere then
  redis.call('select', home)
end
return copied

-- The other keys of an object, each followed by the one that it becomes if there is a target: those that were given.
local function otherKeys(_, others)
  return others
end

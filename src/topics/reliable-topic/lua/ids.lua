-- Ids of entries: two whole numbers with up to 20 digits, which Lua would round, and so are compared as texts.

local LAST_OF_A_MS = '18446744073709551615'

local function isLess(one, other)
  return #one < #other or #one == #other and one < other
end

local function isBefore(one, other)
  local ms, sequence = string.match(one, '^(%d+)%-(%d+)$')
  local otherMs, otherSequence = string.match(other, '^(%d+)%-(%d+)$')
  return isLess(ms, otherMs) or ms == otherMs and isLess(sequence, otherSequence)
end

-- The lowest id after another. No server makes so many in a millisecond that Lua would round their number.
local function after(id)
  local ms, sequence = string.match(id, '^(%d+)%-(%d+)$')
  if tonumber(sequence) < 2 ^ 53 then
    return ms .. '-' .. string.format('%.0f', tonumber(sequence) + 1)
  end
  return string.format('%.0f', tonumber(ms) + 1) .. '-0'
end

-- The highest id before a moment, in milliseconds since 1970.
local function beforeMoment(ms)
  return ms <= 0 and '0-0' or string.format('%.0f', ms - 1) .. '-' .. LAST_OF_A_MS
end

-- The natural order of Java among the elements of a list: texts by their UTF-16 code units, numbers by their value.
--
-- form: 'text' for texts as they are; 'json' for texts with quotes and for numbers. An element has a key to compare it by: a text for
-- a text, and a table for a number. What is neither has none. Texts are compared byte by byte: `<` depends on the locale of the server.
--
-- An element may be large, and Lua is slow where it reads one byte after the other. So of two texts only the characters at which they differ are read like that.

local MIXED = -2 -- there are elements that cannot be compared
local TOO_FAR = -3 -- several elements are farther from the ends than one script should go

-- Three bytes for each code unit of a surrogate pair, so that the order of the bytes is that of the code units.
local function bytesOfUnit(unit)
  if unit < 128 then
    return string.char(unit)
  end
  if unit < 2048 then
    return string.char(192 + math.floor(unit / 64), 128 + unit % 64)
  end
  return string.char(224 + math.floor(unit / 4096), 128 + math.floor(unit / 64) % 64, 128 + unit % 64)
end

local function unitsOf(character)
  local one, two, three, four = string.byte(character, 1, 4)
  local point = (one - 240) * 262144 + (two - 128) * 4096 + (three - 128) * 64 + (four - 128) - 65536
  return bytesOfUnit(55296 + math.floor(point / 1024)) .. bytesOfUnit(56320 + point % 1024)
end

-- The character at an index and the one after it, so that the order of the bytes is that of the code units.
local function unitsAt(text, index)
  return (string.gsub(string.sub(text, index, index + 7), '[\240-\244][\128-\191][\128-\191][\128-\191]', unitsOf))
end

local function characterOfPair(high, low)
  local point = (high - 55296) * 1024 + low - 56320 + 65536
  local function continuation(shift)
    return 128 + math.floor(point / shift) % 64
  end
  return string.char(240 + math.floor(point / 262144), continuation(4096), continuation(64), continuation(1))
end

local QUOTE = 34

local ESCAPED = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }

-- Returns what the escape at an index stands for, and the index after it.
local function escapedAt(text, index)
  local mark = string.sub(text, index + 1, index + 1)
  local unit = mark == 'u' and tonumber(string.match(text, '^%x%x%x%x', index + 2) or '', 16)
  if not unit then
    return ESCAPED[mark] or mark, index + 2
  end
  local low = unit >= 55296 and unit < 56320 and string.match(text, '^\\u([dD][c-fC-F]%x%x)', index + 6)
  if low then
    return characterOfPair(unit, tonumber(low, 16)), index + 12
  end
  return bytesOfUnit(unit), index + 6
end

-- Reads what is between the quotes of a text in JSON.
local function unescaped(text)
  local index = string.find(text, '\\', 1, true)
  if not index then
    return text
  end
  local parts, first = {}, 1
  while index do
    parts[#parts + 1] = string.sub(text, first, index - 1)
    parts[#parts + 1], first = escapedAt(text, index)
    index = string.find(text, '\\', first, true)
  end
  parts[#parts + 1] = string.sub(text, first)
  return table.concat(parts)
end

-- Takes a number apart by its digits, since a double of Lua has not all of those that a number of Java may have: its value is
-- 0.DIGITS times 10 to the power of `exponent`.
local function keyOfNumber(text)
  local sign, whole, fraction, power = string.match(text, '^(-?)(%d+)%.?(%d*)[eE]?([-+]?%d*)$')
  if not tonumber(text) or not sign then
    return nil
  end
  local zeros, digits = string.match(whole .. fraction, '^(0*)(%d-)0*$')
  if digits == '' then
    return { side = 0, exponent = 0, digits = digits }
  end
  return { side = sign == '-' and -1 or 1, exponent = #whole - #zeros + (tonumber(power) or 0), digits = digits }
end

local function keyOf(element, form)
  if form == 'text' then
    return element
  end
  local length = #element
  if length > 1 and string.byte(element) == QUOTE and string.byte(element, length) == QUOTE then
    return unescaped(string.sub(element, 2, length - 1))
  end
  return keyOfNumber(element)
end

local function isInsideCharacter(text, index)
  local byte = string.byte(text, index)
  return byte >= 128 and byte < 192
end

local function compareBytes(one, other)
  for i = 1, math.min(#one, #other) do
    local difference = string.byte(one, i) - string.byte(other, i)
    if difference ~= 0 then
      return difference < 0 and -1 or 1
    end
  end
  return #one < #other and -1 or 1
end

local function compareTexts(one, other)
  if one == other then
    return 0
  end
  local same, length = 0, math.min(#one, #other)
  local step = length
  while step > 0 do -- the longest beginning that both have is found by halves, because a step by each byte takes Lua seconds
    if same + step <= length and string.sub(one, same + 1, same + step) == string.sub(other, same + 1, same + step) then
      same = same + step
    else
      step = math.floor(step / 2)
    end
  end
  if same == length then
    return #one < #other and -1 or 1
  end
  local first = same + 1
  while first > 1 and first > same - 2 and isInsideCharacter(one, first) do
    first = first - 1
  end
  return compareBytes(unitsAt(one, first), unitsAt(other, first))
end

local function compareNumbers(one, other)
  if one.side ~= other.side then
    return one.side < other.side and -1 or 1
  end
  if one.exponent ~= other.exponent then
    return one.exponent < other.exponent and -one.side or one.side
  end
  return one.side * compareTexts(one.digits, other.digits)
end

-- Returns -1, 0 or 1; nil for what cannot be compared.
local function compare(one, other)
  if type(one) ~= type(other) or one == nil then
    return nil
  end
  if type(one) == 'string' then
    return compareTexts(one, other)
  end
  return compareNumbers(one, other)
end

-- Finds where what has a key is, or would be. Returns the index, and the element if it is there; nil if it cannot be compared with what is there.
local function placeOf(set, key, form)
  if not key then
    return nil
  end
  local low, high = 0, redis.call('llen', set) - 1
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local element = redis.call('lindex', set, middle)
    local order = compare(key, keyOf(element, form))
    if not order then
      return nil
    elseif order == 0 then
      return middle, element
    elseif order < 0 then
      high = middle - 1
    else
      low = middle + 1
    end
  end
  return low
end

-- Finds where elements are, or would be, each of them once and in their order; nil if they cannot be compared with what is there.
local function placesOf(set, elements, form)
  local sorted = {}
  for i, element in ipairs(elements) do
    local key = keyOf(element, form)
    local index, there = placeOf(set, key, form)
    if not index then
      return nil
    end
    sorted[i] = { element = element, key = key, index = index, there = there }
  end
  table.sort(sorted, function(one, other)
    return compare(one.key, other.key) < 0
  end)
  local places = {}
  for _, place in ipairs(sorted) do
    local before = places[#places]
    if not before or compare(before.key, place.key) ~= 0 then
      places[#places + 1] = place
    end
  end
  return places
end

-- Redis walks through the list from an end to each element that it changes.
--
-- steps: how many elements it comes by. most: how many of them it may be where several elements are changed; empty for any number.
local function isTooFar(changes, steps, most)
  return changes > 1 and most ~= '' and steps > tonumber(most)
end

-- Refuses a set that a client in Java gave another order. Returns the error, or nothing.
local function otherOrder(comparator)
  if redis.call('exists', comparator) == 1 then
    return redis.error_reply('WRONGTYPE the values are in the order of a comparator of Java')
  end
end

-- The natural order of Java among the elements of a list: texts by their UTF-16 code units, numbers by their value.
--
-- form: 'text' for texts as they are; 'json' for texts with quotes and for numbers. An element has a key to compare it by: a text for
-- a text, and a table for a number. What is neither has none. Texts are compared byte by byte: `<` depends on the locale of the server.

local MIXED = -2 -- there are elements that cannot be compared

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

local function keyOfText(text)
  return (string.gsub(text, '[\240-\244][\128-\191][\128-\191][\128-\191]', unitsOf))
end

local ESCAPED = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }

-- Reads what is between the quotes of a text in JSON. A byte that UTF-8 does not have stands for an escaped backslash meanwhile.
local function unescaped(text)
  if not string.find(text, '\\', 1, true) then
    return text
  end
  text = string.gsub(text, '\\\\', '\255')
  text = string.gsub(text, '\\u(%x%x%x%x)', function(digits)
    return bytesOfUnit(tonumber(digits, 16))
  end)
  text = string.gsub(text, '\\(.)', function(mark)
    return ESCAPED[mark] or mark
  end)
  return (string.gsub(text, '\255', '\\'))
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
    return keyOfText(element)
  end
  local quoted = string.match(element, '^"(.*)"$')
  if quoted then
    return keyOfText(unescaped(quoted))
  end
  return keyOfNumber(element)
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
  return string.byte(one, same + 1) < string.byte(other, same + 1) and -1 or 1
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

-- Refuses a set that a client in Java gave another order. Returns the error, or nothing.
local function otherOrder(comparator)
  if redis.call('exists', comparator) == 1 then
    return redis.error_reply('WRONGTYPE the values are in the order of a comparator of Java')
  end
end

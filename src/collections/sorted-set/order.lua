-- The natural order of Java among the elements of a list: texts by their UTF-16 code units, numbers by their value.
--
-- form: 'text' for texts as they are; 'json' for texts with quotes and for numbers. An element has a key to compare it by: a text for
-- a text, and a table for a number. What is neither has none. Texts are compared byte by byte: `<` depends on the locale of the server.
--
-- An element may be large, and Lua is slow where it reads one byte after the other. So two texts are compared as they are written, up to the first
-- difference. Only the characters around it are read. JSON may write a character in several ways: where both are the same one, it goes on after it.

local MIXED = -2 -- there are elements that cannot be compared
local TOO_FAR = -3 -- several elements are farther from the ends than one script should go, or so large that it should not compare them all

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

local function characterOfPair(high, low)
  local point = (high - 55296) * 1024 + low - 56320 + 65536
  local function continuation(shift)
    return 128 + math.floor(point / shift) % 64
  end
  return string.char(240 + math.floor(point / 262144), continuation(4096), continuation(64), continuation(1))
end

local QUOTE, BACKSLASH = 34, 92

local ESCAPED = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }

-- Returns what the escape at an index stands for, and the index after it.
local function escapedAt(text, index)
  local mark = string.sub(text, index + 1, index + 1)
  local unit = mark == 'u' and tonumber(string.match(string.sub(text, index + 2, index + 5), '^%x%x%x%x$') or '', 16)
  if not unit then
    return ESCAPED[mark] or mark, index + 2
  end
  local isHigh = unit >= 55296 and unit < 56320
  local low = isHigh and string.match(string.sub(text, index + 6, index + 11), '^\\u([dD][c-fC-F]%x%x)$')
  if low then
    return characterOfPair(unit, tonumber(low, 16)), index + 12
  end
  return bytesOfUnit(unit), index + 6
end

-- Returns the character at an index, and the index after it.
local function characterAt(text, index, form)
  local byte = string.byte(text, index)
  if byte == BACKSLASH and form == 'json' then
    return escapedAt(text, index)
  end
  local length = byte < 192 and 1 or byte < 224 and 2 or byte < 240 and 3 or 4
  return string.sub(text, index, index + length - 1), index + length
end

-- Two characters, so that the order of the bytes is that of the code units: half of a surrogate pair is in its place only together with what follows.
local function unitsAt(text, index, form)
  local characters = {}
  while #characters < 2 and index <= #text do
    characters[#characters + 1], index = characterAt(text, index, form)
  end
  return (string.gsub(table.concat(characters), '[\240-\244][\128-\191][\128-\191][\128-\191]', unitsOf))
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
    return string.sub(element, 2, length - 1)
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

-- Finds how many bytes are the same, by steps that become longer and then shorter: a step by each byte takes Lua seconds.
local function countWhile(most, isSame)
  local count, step = 0, 32
  while count + step <= most and isSame(count + 1, count + step) do
    count, step = count + step, step * 2
  end
  while step > 0 do
    if count + step <= most and isSame(count + 1, count + step) then
      count = count + step
    end
    step = math.floor(step / 2)
  end
  return count
end

local function countSame(one, first, other, second)
  return countWhile(math.min(#one - first, #other - second) + 1, function(from, to)
    return string.sub(one, first + from - 1, first + to - 1) == string.sub(other, second + from - 1, second + to - 1)
  end)
end

local function countBackslashesBefore(text, index, first)
  return countWhile(index - first, function(from, to)
    return string.sub(text, index - to, index - from) == string.rep('\\', to - from + 1)
  end)
end

-- The longest that JSON has for a character, a surrogate pair, and half of one before it: that may be read by itself where both texts have it.
local LONGEST = 18

-- Finds where a character begins that is not far before an index.
--
-- first: an index at which a character begins.
local function beginningBefore(text, index, first, form)
  local start = math.max(first, index - LONGEST)
  while start > first and isInsideCharacter(text, start) do
    start = start - 1
  end
  if form == 'json' then
    for from = start - 1, math.max(first, start - 5), -1 do -- it may be inside of an escape
      if string.byte(text, from) == BACKSLASH then
        local isEscape = countBackslashesBefore(text, from, first) % 2 == 0
        local isInside = isEscape and (from == start - 1 or string.sub(text, from + 1, from + 1) == 'u')
        return isInside and from or start
      end
    end
  end
  return start
end

-- Reads characters until the first text has passed an index and both go on alike. Returns where in each of them; or nil and the order, if that is found before.
local function passAlike(one, first, other, second, last, form)
  while first <= #one and second <= #other do
    local character, next = characterAt(one, first, form)
    local otherCharacter, otherNext = characterAt(other, second, form)
    if character ~= otherCharacter then
      return nil, compareBytes(unitsAt(one, first, form), unitsAt(other, second, form))
    end
    local isAlike = next - first == otherNext - second
    first, second = next, otherNext
    if first > last and isAlike then
      return first, second
    end
  end
  if first > #one and second > #other then
    return nil, 0
  end
  return nil, first > #one and -1 or 1
end

local function compareTexts(one, other, form)
  if one == other then
    return 0
  end
  local first, second = 1, 1
  while first do
    local difference = first + countSame(one, first, other, second)
    local start = beginningBefore(one, difference, first, form)
    first, second = passAlike(one, start, other, second + start - first, difference, form)
  end
  return second
end

local function compareNumbers(one, other)
  if one.side ~= other.side then
    return one.side < other.side and -1 or 1
  end
  if one.exponent ~= other.exponent then
    return one.exponent < other.exponent and -one.side or one.side
  end
  return one.side * compareTexts(one.digits, other.digits, 'text')
end

-- Returns -1, 0 or 1; nil for what cannot be compared.
local function compare(one, other, form)
  if type(one) ~= type(other) or one == nil then
    return nil
  end
  if type(one) == 'string' then
    return compareTexts(one, other, form)
  end
  return compareNumbers(one, other)
end

-- Finds where what has a key is, or would be. Returns the index, and the element if it is there; nil if it cannot be compared with what is there.
-- And how many bytes it has read.
local function placeOf(set, key, form)
  if not key then
    return nil
  end
  local low, high, bytes = 0, redis.call('llen', set) - 1, 0
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local element = redis.call('lindex', set, middle)
    bytes = bytes + #element
    local order = compare(key, keyOf(element, form), form)
    if not order then
      return nil
    elseif order == 0 then
      return middle, element, bytes
    elseif order < 0 then
      high = middle - 1
    else
      low = middle + 1
    end
  end
  return low, nil, bytes
end

-- Redis walks through the list from an end to each element that it changes. It takes about as long to come by an element as to read and compare some bytes.
local BYTES_OF_STEP = 4

-- How often an element is compared with the others that are given, where there are a hundred of them.
local SORTING = 8

-- steps: how many elements it comes by. most: how many of them it may be for several elements; empty for any number.
local function isTooFar(elements, steps, most)
  return elements > 1 and most ~= '' and steps > tonumber(most)
end

-- Finds where elements are, or would be, in the order in which they were given. Returns nil and the reason where that cannot be.
local function eachPlaceOf(set, elements, form, most)
  local places, bytes = {}, 0
  for i, element in ipairs(elements) do
    local key = keyOf(element, form)
    local index, there, read = placeOf(set, key, form)
    if not index then
      return nil, MIXED
    end
    bytes = bytes + read + SORTING * #element
    if isTooFar(#elements, bytes / BYTES_OF_STEP, most) then
      return nil, TOO_FAR
    end
    places[i] = { element = element, key = key, index = index, there = there }
  end
  return places
end

-- The same, each element once and in their order.
local function placesOf(set, elements, form, most)
  local sorted, failure = eachPlaceOf(set, elements, form, most)
  if not sorted then
    return nil, failure
  end
  -- What is there comes after all that would be at its index.
  local function orderOf(one, other)
    if one.index ~= other.index then
      return one.index - other.index
    elseif one.there or other.there then
      return (one.there and 1 or 0) - (other.there and 1 or 0)
    end
    return compare(one.key, other.key, form)
  end
  table.sort(sorted, function(one, other)
    return orderOf(one, other) < 0
  end)
  local places = {}
  for _, place in ipairs(sorted) do
    local before = places[#places]
    if not before or orderOf(before, place) ~= 0 then
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

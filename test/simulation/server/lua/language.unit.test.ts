import { describe, expect, it } from 'vitest'
import { shown } from './testing/evaluate.js'

describe('Lua in the simulation', () => {
  it.each([
    [
      'an upvalue is shared by closures',
      'local n = 0 local function up() n = n + 1 end up() up() return n',
      '2',
    ],
    [
      'each turn of a loop has variables of its own',
      'local t = {} for i = 1, 3 do t[i] = function() i = i + 1 return i end end return t[1](), t[1](), t[2]()',
      '2 | 3 | 3',
    ],
    [
      'a condition of repeat sees the variables of its body',
      'local i = 0 repeat local done = i == 2 i = i + 1 until done return i',
      '3',
    ],
    [
      'a local function can call itself',
      'local function f(n) return n == 0 and 1 or n * f(n - 1) end return f(5)',
      '120',
    ],
    ['a variable hides another one', 'local x = 1 local x = x + 1 do local x = 9 end return x', '2'],
  ])('%s', (_, body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['local function f(...) return select("#", ...), ... end return f(1, nil, nil)', '3 | 1 | nil | nil'],
    ['local function f(a, ...) return a, ... end return f(), f(1, 2, 3)', 'nil | 1 | 2 | 3'],
    ['local function f() return 1, 2 end return f(), f()', '1 | 1 | 2'],
    ['local function f() return 1, 2 end return (f())', '1'],
    ['local function f() return 1, 2 end return {f(), f()}, {(f())}', '{[1]=1, [2]=1, [3]=2} | {[1]=1}'],
    ['local function f() end return f(), (f())', 'nil | nil'],
    ['local function f(...) return (...) end return f(1, 2)', '1'],
    ['local function f(...) return arg.n, arg[2] end return f(5, 6)', '2 | 6'],
    ['return (("a"):rep(2)), #("a") -- (\n, (3)', '"aa" | 1 | 3'],
    ['return {unpack({1, 2, 3})}, select(-1, 1, 2)', '{[1]=1, [2]=2, [3]=3} | 2'],
  ])('lists have the length they should: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['local a, b = 1, 2 a, b = b, a return a, b', '2 | 1'],
    ['local i, t = 1, {} i, t[i] = i + 1, 20 return i, t[1]', '2 | 20'],
    ['local a, b, c = (function() return 1, 2 end)() return a, b, c', '1 | 2 | nil'],
    ['local t = {} t.a, t.b = 1 return t', '{["a"]=1}'],
  ])('all values are there before the first one is assigned: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['local s = "" for i = 3, 1, -1 do s = s .. i end return s', '"321"'],
    ['local s = "" for i = 1, 2, 0.5 do s = s .. i .. " " end return s', '"1 1.5 2 "'],
    ['for i = 1, 0 do return i end return "none"', '"none"'],
    [
      'for i = 1, 9 do for j = 1, 9 do if j == 2 then break end if i == 3 then return i, j end end end',
      '3 | 1',
    ],
    ['local n = 0 for i = 1, 3 do i = 10 n = n + 1 end return n', '3'],
    ['local s = "" for k, v in pairs({"a", "b"}) do s = s .. k .. v end return s', '"1a2b"'],
    ['local s = "" for _, v in ipairs({1, 2, nil, 4}) do s = s .. v end return s', '"12"'],
  ])('loops: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['return ("x"):rep(3), ("%d!"):format(5), #"abc"', '"xxx" | "5!" | 3'],
    ['local t = {n = 1} function t:add(k) self.n = self.n + k return self end return t:add(2):add(3).n', '6'],
    ['local t = {f = function(...) return select("#", ...) end} return t.f(), t:f()', '0 | 1'],
    [
      'local t = setmetatable({}, {__index = {x = 1}, __call = function(_, a) return a end}) return t.x, t(5)',
      '1 | 5',
    ],
    [
      'local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end}) t.x = 2 return t.x',
      '4',
    ],
    [
      'local m = {__add = function() return "sum" end} return setmetatable({}, m) + 1, 1 + setmetatable({}, m)',
      '"sum" | "sum"',
    ],
  ])('methods and metatables: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['local t = {} t[1.0] = "a" t[2] = "b" return t[1], #t', '"a" | 2'],
    ['return #{1, 2, nil, 4}, #{nil, nil, 3}, #{n = 1}', '4 | 3 | 0'],
    ['return {1, 2, [1] = "x"}, {[2] = "b", [1] = "a"}', '{[1]=1, [2]=2} | {[2]="b", [1]="a"}'],
    ['local t = {1, 2, 3} t[#t] = nil t[#t + 1] = 9 return t', '{[1]=1, [2]=2, [3]=9}'],
  ])('tables: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['return "10" + 1, "0x10" * 2, 10 .. 20, -"2"', '11 | 32 | "1020" | -2'],
    ['return -7 % 3, 7 % -3, 2 ^ 3 ^ 2, -2 ^ 2', '2 | -2 | 512 | -4'],
    [
      'return 1e15 .. "", 0.1 .. "", 1e100 .. "", 2^53 .. "", -0.0 .. ""',
      '"1e+15" | "0.1" | "1e+100" | "9.007199254741e+15" | "-0"',
    ],
    [
      'return tostring(1/0), tostring(-1/0), 3 / 2, 1 == 1.0, "1" == 1',
      '"inf" | "-inf" | 1.5 | true | false',
    ],
    ['return nil and 1, false or nil, 0 and 1, not 0, nil == false', 'nil | nil | 1 | false | false'],
    ['return tonumber("ff", 16), tonumber(" 5 "), tonumber("5x"), tonumber("1e1")', '255 | 5 | nil | 10'],
  ])('numbers and truth: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ["return 'end', ('end'), {x = '='}", '"end" | "end" | {["x"]="="}'],
    ['return [[a]], [==[ ]] ]==], "\\65\\n", "\\\n"', '"a" | " ]] " | "A\n" | "\n"'],
    ['return [[\r\na\r\nb]]', '"a\nb"'],
    ['return "\\200\\0", "\xc3\xa9"', '"\xc8\0" | "\xc3\xa9"'],
  ])('strings are bytes, as they are written: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })
})

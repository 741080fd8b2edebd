import { describe, expect, it } from 'vitest'
import { shown } from './testing/evaluate.js'

describe('the libraries of Lua in the simulation', () => {
  it.each([
    [
      'return ("hello"):find("l+"), ("a.b"):find(".", 1, true), ("abc"):find("()b()")',
      '3 | 2 | 2 | 2 | 2 | 3',
    ],
    ['return ("key = value"):match("^(%w+)%s*=%s*(%w+)$")', '"key" | "value"'],
    ['return ("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%f[%a]%a+", 4)', '"(a(b)c)" | 6 | 10'],
    ['return ("aaa"):match("^(a-)(a*)$")', '"" | "aaa"'],
    ['return ("abab"):match("(ab)%1"), ("a\\0b"):match("a%zb"), ("]"):match("[]]")', '"ab" | "a\0b" | "]"'],
    ['return ("hello"):gsub("l", {l = "L"}), (("hello"):gsub("(h)(e)", "%2%1"))', '"heLLo" | "ehllo"'],
    ['return ("abc"):gsub("", "-")', '"-a-b-c-" | 4'],
    ['local s = "" for k, v in ("a=1,b=2"):gmatch("(%w)=(%w)") do s = s .. v .. k end return s', '"1a2b"'],
  ])('patterns: %s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })

  it.each([
    ['[', `malformed pattern (missing ']')`],
    ['%', `malformed pattern (ends with '%')`],
    ['(a', 'unfinished capture'],
    ['%1', 'invalid capture index'],
    ['%f', `missing '[' after '%f' in pattern`],
    ['%bx', 'unbalanced pattern'],
  ])('the pattern %s is refused', (pattern, message) => {
    const body = `local ok, e = pcall(function() return ("a"):find("${pattern}") end) return e`
    expect(shown(body)).toBe(`"user_script:1: ${message}"`)
  })

  it.each([
    ['"%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42', '   42|42   |00042|+42| 42'],
    ['"%x|%X|%#x|%o|%#o|%u", 255, 255, 255, 8, 8, -1', 'ff|FF|0xff|10|010|18446744073709551615'],
    ['"%e|%.3E|%g|%G|%#g", 12345.678, 0.5, 1e6, 1e-5, 1', '1.234568e+04|5.000E-01|1e+06|1E-05|1.00000'],
    ['"%.0f|%.0f|%.1f|%.20f", 0.5, 1.5, 0.25, 0.1', '0|2|0.2|0.10000000000000000555'],
    ['"%f|%5.1f|%g", 1/0, -1/0, 0/0', 'inf| -inf|-nan'],
    ['"%5s|%-5s|%.2s|%c|%%", "a", "b", "cde", 65', '    a|b    |cd|A|%'],
    ['"%q", "a\\n\\"\\\\\\0"', '"a\\\n\\"\\\\\\000"'],
    ['"%8.3d|%-8.3d|%+.2f", 7, 7, 2.675', '     007|007     |+2.67'],
  ])('string.format(%s)', (args, expected) => {
    expect(shown(`return string.format(${args})`)).toBe(`"${expected}"`)
  })

  it.each([
    ['local t = {3, 1, 2} table.sort(t) return table.concat(t, ",")', '"1,2,3"'],
    ['local t = {1, 2, 3} return table.remove(t, 1), table.remove(t), #t', '1 | 3 | 1'],
    ['local t = {1, 3} table.insert(t, 2, 2) table.insert(t, 4) return t', '{[1]=1, [2]=2, [3]=3, [4]=4}'],
    ['return math.max(1, 3, 2), math.floor(-1.5), math.modf(3.25)', '3 | -2 | 3 | 0.25'],
    ['return bit.band(6, 3), bit.bnot(0), bit.tohex(255, 4)', '2 | -1 | "00ff"'],
    ['return struct.unpack("<Bc0I4", struct.pack("<Bc0I4", 3, "abc", 5))', '"abc" | 5 | 9'],
    ['return cmsgpack.unpack(cmsgpack.pack({1, {a = "b"}}, -1.5))', '{[1]=1, [2]={["a"]="b"}} | -1.5'],
    [
      `return cjson.encode({1, "a/b", {x = true}}), cjson.decode('{"a":[1,"\\\\u00e9"]}')`,
      '"[1,"a\\/b",{"x":true}]" | {["a"]={[1]=1, [2]="Ã©"}}',
    ],
    ['return redis.sha1hex(""), redis.LOG_WARNING', '"da39a3ee5e6b4b0d3255bfef95601890afd80709" | 3'],
  ])('%s', (body, expected) => {
    expect(shown(body)).toBe(expected)
  })
})

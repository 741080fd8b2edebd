import fc from 'fast-check'
import { attempting, showing } from '../shown.js'
import {
  anyBytes,
  anyNumber,
  anyString,
  numberLiteral,
  numericText,
  oneCharacter,
  smallInteger,
  stringLiteral,
} from './literals.js'

const number = anyNumber.map(numberLiteral)
const string = anyString.map(stringLiteral)
const bytes = anyBytes.map(stringLiteral)

/** Arithmetic on two numbers, and what becomes of each as a text. */
export const arithmetic = fc
  .tuple(number, number)
  .map(([one, two]) =>
    showing(
      `${one} + ${two}, ${one} - ${two}, ${one} * ${two}, ${one} / ${two}, ${one} % ${two}, ${one} < ${two}, ${one} <= ${two}, ` +
        `${one} == ${two}, tostring(${one}), ${one} .. "", tostring(${one} / 3), math.floor(${one}), math.ceil(${one}), math.fmod(${one}, ${two})`,
    ),
  )

export const conversions = fc
  .tuple(numericText.map(stringLiteral), fc.integer({ min: 2, max: 36 }))
  .map(([text, base]) =>
    showing(`tonumber(${text}), tonumber(${text}, ${base}), pcall(function() return ${text} + 0 end)`),
  )

const conversion = oneCharacter('diuxXoeEfgGcsq')

/** Any directive of `string.format`, with a number or a string. */
export const formats = fc
  .record({
    flags: fc.string({ unit: oneCharacter('-+ #0'), maxLength: 3 }),
    width: fc.option(fc.integer({ min: 0, max: 40 }), { nil: '' }),
    precision: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
    conversion,
    value: fc.oneof(number, number, string).filter((text) => !/nan|0\/0/i.test(text)),
  })
  .map(({ flags, width, precision, conversion: letter, value }) => {
    const isBare = letter === 'q'
    const directive = isBare
      ? '%q'
      : `%${flags}${width}${precision === undefined ? '' : `.${precision}`}${letter}`
    return attempting(`return string.format("[${directive}]", ${value})`)
  })

const item = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '1',
    '.',
    '%a',
    '%d',
    '%s',
    '%w',
    '%W',
    '%A',
    '%p',
    '%%',
    '%.',
    'x',
    ' ',
    '-',
    '%z',
    '%l',
    '%U',
  ),
  fc.constantFrom(
    '[ab]',
    '[^a]',
    '[a-c]',
    '[%d.]',
    '[^%s]',
    '[]]',
    '[a-]',
    '[%a_-]',
    '%bxy',
    '%f[%a]',
    '%f[^b]',
    '%1',
    '()',
  ),
)
const quantified = fc
  .tuple(item, fc.constantFrom('', '', '', '*', '+', '-', '?'))
  .map((parts) => parts.join(''))
const group = fc.oneof(
  quantified,
  quantified,
  fc.array(quantified, { minLength: 1, maxLength: 2 }).map((parts) => `(${parts.join('')})`),
)
const wellFormed = fc
  .tuple(fc.constantFrom('', '', '^'), fc.array(group, { maxLength: 4 }), fc.constantFrom('', '', '$'))
  .map(([start, items, end]) => start + items.join('') + end)
const malformed = fc.string({ unit: oneCharacter('ab1%[]()^$*+-?.'), maxLength: 6 })
const pattern = fc.oneof(wellFormed, wellFormed, wellFormed, malformed).map(stringLiteral)
const subject = fc.string({ unit: oneCharacter('aabbc1 .-xy%]('), maxLength: 12 }).map(stringLiteral)
const replacement = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '%0', '%1', '%2', '%%', '-'), maxLength: 4 }).map(stringLiteral),
  fc.constantFrom(
    '{a = "A", b = false, ["1"] = 5}',
    'function(...) return select("#", ...) .. (...) end',
    'string.upper',
  ),
)

export const patterns = fc
  .tuple(subject, pattern, replacement, fc.integer({ min: -3, max: 5 }))
  .map(([text, what, by, from]) =>
    showing(
      `pcall(string.find, ${text}, ${what}, ${from}), ` +
        `all(pcall(string.match, ${text}, ${what})), ` +
        `all(pcall(string.gsub, ${text}, ${what}, ${by})), ` +
        `all(pcall(string.gsub, ${text}, ${what}, ${by}, ${from})), ` +
        `all(pcall(function() local r = {} for x, y in string.gmatch(${text}, ${what}) do r[#r + 1] = tostring(x) .. tostring(y) end return r end))`,
    ),
  )

export const stringFunctions = fc
  .tuple(bytes, fc.integer({ min: -15, max: 15 }), fc.integer({ min: -15, max: 15 }))
  .map(([text, from, to]) =>
    showing(
      `string.sub(${text}, ${from}, ${to}), all(string.byte(${text}, ${from}, ${to})), string.rep(${text}, ${from}), ` +
        `string.upper(${text}), string.lower(${text}), string.reverse(${text}), string.format('%q', ${text}), ${text} < ${text} .. "a"`,
    ),
  )

const structOption = fc.constantFrom(
  ...[
    'b',
    'B',
    'h',
    'H',
    'i',
    'I',
    'l',
    'L',
    'i3',
    'I5',
    'i8',
    'I7',
    'f',
    'd',
    '<',
    '>',
    '!4',
    '!',
    ' ',
    'x',
    'T',
  ],
)
const structFormat = fc.array(structOption, { maxLength: 8 }).map((options) => options.join(''))

/** Packs numbers, and unpacks what that gives. */
export const structs = fc
  .tuple(structFormat, fc.array(number, { minLength: 8, maxLength: 8 }))
  .map(([format, numbers]) => {
    const packed = `struct.pack('${format}', ${numbers.join(', ')})`
    return attempting(
      `local packed = ${packed} return packed, struct.size('${format}'), struct.unpack('${format}', packed)`,
    )
  })

export const unpackedStructs = fc
  .tuple(
    fc.array(fc.oneof(structOption, fc.constantFrom('s', 'c2', 'c0', 'bc0')), { maxLength: 5 }),
    bytes,
    fc.integer({ min: 1, max: 5 }),
  )
  .map(([options, data, from]) =>
    attempting(`return struct.unpack('${options.join('')}', ${data} .. '\\0abcdefgh\\0', ${from})`),
  )

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(number, string, fc.constantFrom('true', 'false', 'nil', 'cjson.null')),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `{${items.join(', ')}}`),
    fc.array(fc.tuple(string, tie('value')), { maxLength: 4 }).map((entries) => tableOf(entries)),
    fc
      .array(fc.tuple(smallInteger.map(numberLiteral), tie('value')), { maxLength: 4 })
      .map((entries) => tableOf(entries)),
  ),
}))

function tableOf(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, item]) => `[${key}] = ${item}`).join(', ')}}`
}

export const packed = value.map((text) =>
  attempting(`local v = ${text} local packed = cmsgpack.pack(v) return packed, cmsgpack.unpack(packed)`),
)

export const unpacked = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0x81, 0x92, 0xc0, 0xca, 0xcb, 0xcc, 0xcf, 0xd3, 0xd9, 0xdc),
    ),
    {
      maxLength: 14,
    },
  )
  .map((codes) => attempting(`return cmsgpack.unpack(${stringLiteral(String.fromCharCode(...codes))})`))

export const encoded = value.map((text) => attempting(`return cjson.encode(${text})`))

const jsonText = fc.oneof(
  fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text).toString('latin1')),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '\\',
        '\\u00e9',
        '\\ud83d',
        '\\ude00',
        '1',
        '-',
        '0x1',
        '1e5',
        'true',
        'null',
        ' ',
        '.',
        'nan',
        '-inf',
        '\n',
        '\\/',
      ),
      { maxLength: 7 },
    )
    .map((parts) => parts.join('')),
)

export const decoded = jsonText.map((text) => attempting(`return cjson.decode(${stringLiteral(text)})`))

const key = fc.oneof(
  fc.integer({ min: -2, max: 20 }).map(numberLiteral),
  fc.integer({ min: 1, max: 9 }).map(numberLiteral),
  fc.constantFrom(
    ...['"a"', '"b"', '"longer key"', '"x1"', '"x2"', '"x3"', '1.5', '2^40', 'true', 'false', '1e300'],
  ),
  number.filter((text) => text !== '(0/0)'),
)

/** What can be done with a table. */
const change = fc.oneof(
  fc.tuple(key, smallInteger).map(([at, item]) => `t[${at}] = ${item}`),
  fc.tuple(key, smallInteger).map(([at, item]) => `t[${at}] = ${item}`),
  key.map((at) => `t[${at}] = nil`),
  smallInteger.map((item) => `t[#t + 1] = ${item}`),
  smallInteger.map((item) => `table.insert(t, ${item})`),
  fc.constantFrom('table.remove(t)', 'table.remove(t, 1)', 'table.insert(t, 1, 0)', 't[#t] = nil'),
)
const START = [
  '{}',
  '{1, 2, 3}',
  '{1, nil, 3}',
  '{x = 1, y = 2}',
  '{1, 2, x = 3}',
  '{nil, nil, 3, nil}',
  '{unpack({1, 2, 3, 4, 5})}',
  '{[1] = 1, [2] = 2}',
]

/** How a table is after some changes: the order of its keys, its length, and what depends on both. */
export const tables = fc
  .tuple(fc.constantFrom(...START), fc.array(change, { maxLength: 30 }))
  .map(([start, changes]) =>
    showing(
      `(function() local t = ${start} ${changes.join(' ')} return t, #t, table.maxn(t), next(t), unpack(t) end)()`,
    ),
  )

const ORDERS = [
  'nil',
  'function(a, b) return a > b end',
  'function(a, b) return a % 5 < b % 5 end',
  'function(a, b) return a <= b end',
]

export const sorted = fc
  .tuple(fc.array(smallInteger.map(numberLiteral), { maxLength: 25 }), fc.constantFrom(...ORDERS))
  .map(([items, order]) =>
    attempting(`local t = {${items.join(', ')}} table.sort(t, ${order}) return table.concat(t, ' ')`),
  )

export const bitOperations = fc
  .tuple(number, number, fc.integer({ min: -40, max: 40 }))
  .map(([one, two, count]) =>
    showing(
      `bit.tobit(${one}), bit.band(${one}, ${two}), bit.bor(${one}, ${two}), bit.bxor(${one}, ${two}), bit.bnot(${one}), bit.lshift(${one}, ${count}), ` +
        `bit.rshift(${one}, ${count}), bit.arshift(${one}, ${count}), bit.rol(${one}, ${count}), bit.ror(${one}, ${count}), bit.bswap(${one}), bit.tohex(${one}, ${count % 9})`,
    ),
  )

/** Numbers as replies, and as arguments of commands. */
export const replies = fc
  .tuple(number, value)
  .map(
    ([one, reply]) => `return {${one}, ${reply}, redis.call('echo', ${one}), {ok = 'x'}, tostring(${one})}`,
  )

import { describe, expect, it } from 'vitest'
import { jacksonCodec } from '../../../src/codec/jackson/jackson-codec.js'
import { CodecError } from '../../../src/errors/codec-errors.js'

class Order {
  id = 0
  total = '0'

  get isLarge(): boolean {
    return Number(this.total) > 100
  }
}

const jackson = jacksonCodec()
const shop = jacksonCodec({
  types: {
    'com.shop.Order': {
      class: Order,
      fields: { id: 'Long', total: 'BigDecimal', count: 'plain', rate: 'double', raw: 'byte[]', key: 'UUID' },
    },
    'com.shop.User': {},
  },
})

const read = (text: string): unknown => jackson.decode(Buffer.from(text))
const list = (items: string) => `["java.util.ArrayList",[${items}]]`
const map = (members: string) => `{"@class":"java.util.LinkedHashMap"${members && `,${members}`}}`

/** Written by Redisson 4.7.0 with Jackson 2.22.1. */
const bean =
  '{"@class":"com.shop.Gold$User","age":3,"any":["com.shop.Gold$E","NEW"],"arr":["[Lcom.shop.Gold$Item;",' +
  '[{"@class":"com.shop.Gold$Item","n":3,"s":"c"}]],"at":["java.util.Date",0],"bi":["java.math.BigInteger",10],' +
  '"big":12345678901,"c":"c","counts":{"@class":"java.util.HashMap","k":["java.lang.Long",1]},"d":1.0,"dd":2.0,' +
  '"ds":[1.0],"f":1.5,"fin":{"x":1},"fins":[{"x":1}],"id":["java.lang.Long",5],"ints":[1],' +
  '"item":{"@class":"com.shop.Gold$Item","n":2,"s":"b"},"items":["java.util.ArrayList",' +
  '[{"@class":"com.shop.Gold$Item","n":1,"s":"a"}]],"longs":[1,99999999999],"name":"x","no":false,"o2":["[B","AQI="],' +
  '"price":["java.math.BigDecimal",1.10],"raw":"AQI=","sh":1,"state":"NEW","strings":["a","b"],' +
  '"tags":["java.util.HashSet",["t"]],"u":["java.util.UUID","00000000-0000-0000-0000-000000000001"],"yes":true}'

describe('the Jackson codec writes what JsonJacksonCodec writes:', () => {
  it.each<[value: unknown, text: string]>([
    ['abc', '"abc"'],
    ['😀\u001f/', String.raw`"\uD83D\uDE00\u001F/"`],
    [5, '5'],
    [-2147483648, '-2147483648'],
    [1.5, '1.5'],
    [1e21, '1.0E21'],
    [-0, '0'],
    [true, 'true'],
    [null, 'null'],
    [5n, '["java.lang.Long",5]'],
    [2147483648, '["java.lang.Long",2147483648]'],
    [-9223372036854775808n, '["java.lang.Long",-9223372036854775808]'],
    [12345678901234567890n, '["java.math.BigInteger",12345678901234567890]'],
    [Buffer.of(1, 2), '"AQI="'],
    [[Buffer.of(1, 2)], list('["[B","AQI="]')],
    [new Date(0), '["java.util.Date",0]'],
    [[1, 'a', null, new Date(5)], list('1,"a",null,["java.util.Date",5]')],
    [new Set(['s']), '["java.util.HashSet",["s"]]'],
    [{}, map('')],
    [
      { k: 1, n: null, u: undefined, a: [2n] },
      map('"k":1,"a":["java.util.ArrayList",[["java.lang.Long",2]]]'),
    ],
    [new Map([['b', 1], ['1', 2]]), map('"b":1,"1":2')], // prettier-ignore
    [['java.lang.Long', 5], list('"java.lang.Long",5')],
    [{ a: { toJSON: () => 'x' } }, map('"a":"x"')],
  ])('%o', (value, text) => {
    expect(jackson.encode(value)).toBe(text)
  })

  it('objects of a registered class, by their fields', () => {
    const order = Object.assign(new Order(), {
      total: '1.10',
      count: 12345678901,
      rate: 1,
      raw: Buffer.of(1, 2),
      key: '00000000-0000-0000-0000-000000000001',
      no: null,
    })
    expect(shop.encode([order])).toBe(
      list(
        '{"@class":"com.shop.Order","count":12345678901,"id":["java.lang.Long",0],' +
          '"key":["java.util.UUID","00000000-0000-0000-0000-000000000001"],"rate":1.0,"raw":"AQI=",' +
          '"total":["java.math.BigDecimal",1.10]}',
      ),
    )
  })

  it('an object that names its class, if that class is registered', () => {
    expect(shop.encode({ z: 1, '@class': 'com.shop.User', a: 2 })).toBe(
      '{"@class":"com.shop.User","a":2,"z":1}',
    )
    expect(shop.encode({ '@class': 'java.util.TreeMap', a: 2 })).toBe('{"@class":"java.util.TreeMap","a":2}')
    for (const name of ['com.shop.Other', 'javax.swing.JEditorPane', 'java.util.logging.FileHandler', 5, ''])
      expect(refusalOf(() => shop.encode([{ '@class': name }])).got).toBe(
        'an object whose @class is not among the `types` of the codec at value[0]',
      )
    expect(refusalOf(() => shop.encode(new Map([['@class', 'x']]))).got).toBe('a Map with the key @class')
  })
})

describe('the Jackson codec reads', () => {
  it.each<[text: string, value: unknown]>([
    ['["java.lang.Long",5]', 5],
    ['["java.lang.Long","5"]', 5],
    ['["java.lang.Long",9007199254740993]', 9007199254740993n],
    ['["java.lang.Float",1.5]', 1.5],
    ['["java.lang.Double","NaN"]', NaN],
    ['["java.math.BigInteger",10]', 10n],
    ['["java.math.BigDecimal",1.10]', '1.10'],
    ['["java.math.BigDecimal",1000]', '1000'],
    ['["java.util.Date",0]', new Date(0)],
    ['["java.util.Date","1970-01-01T00:00:00.000Z"]', new Date(0)],
    ['["java.sql.Timestamp",5]', new Date(5)],
    ['["java.util.UUID","u"]', 'u'],
    ['["com.shop.State","NEW"]', 'NEW'],
    ['["com.shop.Order$state","new"]', 'new'],
    ['["com.shop.Money",12.50]', 12.5],
    ['["java.lang.Short",3]', 3],
    [list('["a.b.c","OLD"],["com.Shop.state","NEW"]'), ['OLD', 'NEW']],
    ['{"@class":"java.util.HashMap","kind":["a.b.c","OLD"]}', { kind: 'OLD' }],
    [list('["java.util.ArrayList",["a.b.c","OLD"]]'), [['a.b.c', 'OLD']]],
    ['["a.b.c","OLD"]', ['a.b.c', 'OLD']],
    ['{"@class":"com.shop.Site","hosts":["www.example.com","b"]}', { hosts: ['www.example.com', 'b'] }],
    [
      '{"@class":"com.shop.Site","all":["java.util.ArrayList",[["www.example.com","b"]]]}',
      { all: [['www.example.com', 'b']] },
    ],
    ['["[[Ljava.lang.String;",[["www.example.com","b"]]]', [['www.example.com', 'b']]],
    [list('{"@class":"java.util.HashMap","a":["b","c"]}'), [{ a: ['b', 'c'] }]],
    ['["[B","AQI="]', Buffer.of(1, 2)],
    ['["[I",[1]]', [1]],
    ['["java.util.HashSet",["s"]]', new Set(['s'])],
    ['["java.util.EnumSet<com.shop.State>",["NEW"]]', new Set(['NEW'])],
    ['["java.util.ImmutableCollections$List12",[1]]', [1]],
    [list('"java.lang.Long",5'), ['java.lang.Long', 5]],
    ['["a","b"]', ['a', 'b']],
    ['["www.example.com","b"]', ['www.example.com', 'b']],
    ['{"a":1,"@class":"com.unknown.Thing"}', { a: 1 }],
    ['{"a":1}', { a: 1 }],
    ['{"@class":5}', { '@class': 5 }],
    ['1.0', 1],
  ])('%s', (text, value) => {
    expect(read(text)).toStrictEqual(value)
  })

  it('members with the names of prototypes as members', () => {
    const value = read(
      '{"@class":"java.util.HashMap","__proto__":{"a":1},"constructor":2,"toString":3}',
    ) as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(jackson.encode(value)).toContain('"__proto__":{"a":1},"constructor":2,"toString":3')
  })

  it('objects of a registered class, without calling anything of it', () => {
    const text =
      '{"@class":"com.shop.Order","id":["java.lang.Long",7],"isLarge":1,"raw":"AQI=","total":["java.math.BigDecimal",101]}'
    const order = shop.decode(Buffer.from(text)) as Order
    expect(order).toBeInstanceOf(Order)
    expect(order).toMatchObject({ id: 7, total: '101', isLarge: 1, raw: Buffer.of(1, 2) })
  })

  it('the class as a member, if it shall and knows the class', () => {
    const open = jacksonCodec<object>({ types: { 'com.shop.User': {} }, classMember: true })
    const user = open.decode(Buffer.from('{"@class":"com.shop.User","name":"a"}'))
    expect(user).toEqual({ '@class': 'com.shop.User', name: 'a' })
    expect(open.encode({ ...user, age: 5 })).toBe('{"@class":"com.shop.User","age":5,"name":"a"}')
    expect(open.decode(Buffer.from('{"@class":"com.shop.Other","name":"a"}'))).toEqual({ name: 'a' })
  })
})

describe('the Jackson codec writes back as it was', () => {
  it.each([
    bean,
    '{"@class":"com.shop.User","name":"a"}',
    '{"@class":"java.util.TreeMap","z":1,"a":["java.lang.Short",3]}',
    '["java.util.LinkedList",[1,["java.lang.Long",2],["java.lang.Character","x"],["com.shop.State","NEW"]]]',
    list('["a.b.c","OLD"],["com.shop.Order$state","new"],["com.shop.Money",12.5],["java.lang.Short",3]'),
    '{"@class":"com.shop.Order","state":["com.shop.Order$state","new"],"total":["com.shop.Money",12.5]}',
    '{"@class":"java.util.HashMap","kind":["a.b.c","OLD"],"price":["com.shop.Money",3]}',
    '["[J",[1,1099511627776]]',
    '["[D",[1.0,2.5]]',
    '["[Ljava.lang.Long;",[["java.lang.Long",1]]]',
    '["a","b"]',
    '{"fin":{"x":1}}',
    list(
      '["[C","ab"],["java.lang.Double","NaN"],["java.lang.Float",1.0],["java.sql.Timestamp",5],["[Z",[true]]',
    ),
    list('{"@class":"java.util.EnumMap<com.shop.E,java.lang.Object>","NEW":1},["java.util.TreeSet",["s"]]'),
    list('["java.math.BigDecimal",1E+3],1.0E21,1.0,["java.util.concurrent.atomic.AtomicLong",4]'),
  ])('%s', (text) => {
    expect(jackson.encode(read(text))).toBe(text)
  })

  it('with new values of the same class', () => {
    const counts = read('{"@class":"java.util.HashMap","a":["java.lang.Long",1],"b":null}') as Record<
      string,
      unknown
    >
    counts['c'] = 2
    expect(jackson.encode(counts)).toBe(
      '{"@class":"java.util.HashMap","a":["java.lang.Long",1],"c":["java.lang.Long",2]}',
    )
    const rates = read('["java.util.LinkedList",[1.0,2.5]]') as number[]
    rates.unshift(3)
    expect(jackson.encode(rates)).toBe('["java.util.LinkedList",[3.0,1.0,2.5]]')
    const user = read(bean) as Record<string, unknown>
    Object.assign(user, { id: 6, price: '2.50', at: new Date(1), any: 5, bi: 2n, longs: [5], ints: [1, 2] })
    expect(jackson.encode(user)).toContain('"id":["java.lang.Long",6]')
    expect(jackson.encode(user)).toContain('"price":["java.math.BigDecimal",2.50]')
    expect(jackson.encode(user)).toContain('"any":5,')
  })

  it('where a value of another kind has come into the place of one with a class', () => {
    const value = read(
      '{"@class":"java.util.HashMap","a":["java.lang.Long",1],"b":["java.math.BigDecimal",1.5]}',
    ) as Record<string, unknown>
    Object.assign(value, { a: 1.5, b: 'x"],' })
    expect(jackson.encode(value)).toBe(String.raw`{"@class":"java.util.HashMap","a":1.5,"b":"x\"],"}`)
  })
})

describe('the Jackson codec refuses', () => {
  const circle: unknown[] = []
  circle.push({ circle })

  it.each<[value: unknown, got: string]>([
    [undefined, 'undefined'],
    [[1, undefined], 'undefined at value[1]'],
    [Array(3), 'undefined at value[0]'],
    [{ a: NaN }, 'NaN at value.a'],
    [Infinity, 'Infinity'],
    [() => 1, 'a function'],
    [{ a: Symbol('secret') }, 'a symbol at value.a'],
    [circle, 'an object that it is in at value[0].circle'],
    [new Date(NaN), 'an invalid Date'],
    [new Float32Array(1), 'a Float32Array'],
    [new Map([[1, 2]]), 'a Map with a whole number as a key'],
    [Promise.resolve(1), 'a Promise'],
    [new Error('secret'), 'an Error'],
    [10n ** 1000n, 'a bigint of more than 1000 digits'],
  ])('to write %o', (value, got) => {
    expect(refusalOf(() => jackson.encode(value))).toMatchObject({ codec: 'jackson', action: 'encode', got })
  })

  it('lists and objects that are too deep in each other for Java', () => {
    const nested = (depth: number): unknown =>
      Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1)
    expect(read(String(jackson.encode(nested(500))))).toEqual(nested(500))
    expect(refusalOf(() => jackson.encode(nested(501))).got).toMatch(
      /^more than 1000 levels of lists and objects/,
    )
    for (const depth of [1001, 200_000])
      expect(refusalOf(() => read('['.repeat(depth) + ']'.repeat(depth))).got).toBe(
        `${2 * depth} bytes of something else`,
      )
  })

  it('values that do not fit their fields', () => {
    for (const members of [
      { id: 'secret' },
      { id: 1.5 },
      { total: 'secret' },
      { total: '1"' },
      { raw: 'secret' },
      { rate: 'secret' },
    ]) {
      const { got, message } = refusalOf(() => shop.encode(Object.assign(new Order(), members)))
      expect(got).toContain('where `types` has another type of field at value.')
      expect(message).not.toContain('secret')
    }
  })

  it.each(['', 'abc', '{"a":', '[1,]', 'NaN', "{'a':1}", '["java.lang.Long",5'])('to read %j', (text) => {
    const error = refusalOf(() => read(text))
    expect(error).toMatchObject({ action: 'decode', expected: 'JSON', bytes: text.length })
    expect(error.cause).toBeUndefined()
  })

  it('bytes that are no text', () => {
    expect(refusalOf(() => jackson.decode(Buffer.of(0x22, 0xff, 0x22))).expected).toBe('JSON in UTF-8')
  })

  it.each<[options: unknown, message: string]>([
    [null, 'Expected the options of jacksonCodec() to be an object, got null'],
    [
      { type: {} },
      "Expected nothing in jacksonCodec() but types, classMember, jackson, got 'type': did you mean `types`?",
    ],
    [{ jackson: '3' }, 'Expected `jackson` of jacksonCodec() to be 2 or 3, got a string of 1 character'],
    [{ classMember: 1 }, 'Expected `classMember` of jacksonCodec() to be true or false, got 1'],
    [{ types: [] }, 'Expected `types` of jacksonCodec() to be an object, got []'],
    [
      { types: { order: {} } },
      "Expected the names in `types` of jacksonCodec() to be those of classes, got 'order'",
    ],
    [{ types: { 'a.B': 1 } }, 'Expected a.B in `types` of jacksonCodec() to be an object, got 1'],
    [
      { types: { 'a.B': { field: {} } } },
      "Expected nothing in a.B in `types` of jacksonCodec() but class, fields, got 'field'",
    ],
    [
      { types: { 'a.B': { class: () => 1 } } },
      'Expected `class` of a.B to be a class, got [Function: class]',
    ],
    [
      { types: { 'a.B': { fields: { id: 'long' } } } },
      "Expected id of a.B to be one of plain, double, Long, UUID, BigDecimal, BigInteger, byte[], got 'long'",
    ],
    [
      { types: { 'a.B': { class: Order }, 'a.C': { class: Order } } },
      'Expected each class in `types` of jacksonCodec() once, got one for a.B and a.C',
    ],
  ])('as options %o', (options, message) => {
    expect(() => jacksonCodec(options as never)).toThrow(TypeError)
    expect(() => jacksonCodec(options as never)).toThrow(message)
  })
})

function refusalOf(call: () => unknown): CodecError {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(CodecError)
    return error as CodecError
  }
  throw new Error('Expected an error, got none')
}

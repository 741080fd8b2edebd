import { describe, expect, it } from 'vitest'
import { longCodec } from '../../../src/codec/long-codec.js'
import {
  boolean,
  bytes,
  double,
  int64,
  integer,
  list,
  nullable,
  pairs,
  safeInteger,
  status,
  text,
  tuple,
  value,
} from '../../../src/command/operation/replies.js'
import type { Reply } from '../../../src/connection/connection.js'
import { CodecError } from '../../../src/errors/codec-errors.js'
import { UnexpectedReplyError, UnsafeIntegerError } from '../../../src/errors/reply-errors.js'

const umlauts = Buffer.from('ünï')

const said = (words: string) => Buffer.from(words)

describe('reading a reply', () => {
  it('as an integer', () => {
    expect([integer(0), integer(-2), integer(7), integer('7')]).toEqual([0, -2, 7, 7])
  })

  it('as a number, of an integer or its digits', () => {
    expect([safeInteger(-2), safeInteger('9007199254740991'), safeInteger(said('12'))]).toEqual([
      -2, 9007199254740991, 12,
    ])
  })

  it('as a number, never without some of its digits', () => {
    const large = ['9007199254740993', said('-9007199254740993'), 2 ** 53]
    for (const reply of large) expect(() => safeInteger(reply)).toThrow(UnsafeIntegerError)
    expect(() => safeInteger('9007199254740993')).toThrow(
      expect.objectContaining({ digits: '9007199254740993', mayHaveRun: true }),
    )
    expect(() => integer('9007199254740993')).toThrow(UnsafeIntegerError)
  })

  it('as an integer with all of its digits', () => {
    expect([int64(-2), int64('9223372036854775807'), int64(said('-9223372036854775808'))]).toEqual([
      -2n,
      9223372036854775807n,
      -9223372036854775808n,
    ])
    expect(() => int64(2 ** 60)).toThrow(UnsafeIntegerError) // it was rounded on its way
  })

  it('as a number with a fraction', () => {
    const replies = [said('1.5'), said('-0.00010'), said('1.0E7'), said('inf'), said('-inf'), 3, '4']
    expect(replies.map(double)).toEqual([1.5, -0.0001, 1e7, Infinity, -Infinity, 3, 4])
    expect(double(said('nan'))).toBeNaN()
  })

  it('as whether something is so', () => {
    expect([1, '1', said('OK'), 0, '0', null].map(boolean)).toEqual([true, true, true, false, false, false])
  })

  it('as done', () => {
    expect(status(said('OK'))).toBe('OK')
  })

  it('as bytes, which stay as they are', () => {
    const reply = Buffer.from([0, 255, 128])
    expect(bytes(reply)).toBe(reply)
  })

  it('as a value of a codec', () => {
    const read = value(longCodec(), { object: 'visits' })
    expect(read(said('12'))).toBe(12)
    expect(() => read(said('a dozen'))).toThrow(CodecError)
    expect(() => read(said('a dozen'))).toThrow(
      expect.objectContaining({ object: 'visits', mayHaveRun: true }),
    )
  })

  it('as nothing, where it may be absent', () => {
    expect([nullable(bytes)(null), nullable(integer)(3)]).toEqual([undefined, 3])
  })

  it('as pairs', () => {
    expect(pairs(text, safeInteger)([said('a'), said('1'), said('b'), 2])).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(pairs(text, text)([])).toEqual([])
    expect(
      pairs(
        text,
        safeInteger,
      )([
        [said('a'), 1],
        [said('b'), 2],
      ]),
    ).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('as a text, from its bytes', () => {
    expect([text(umlauts), text(Buffer.alloc(0))]).toEqual(['ünï', ''])
  })

  it('as a list', () => {
    expect(list(integer)([1, 0, 1])).toEqual([1, 0, 1])
    expect(list(integer)([])).toEqual([])
    expect(list(list(text))([[umlauts], []])).toEqual([['ünï'], []])
  })

  it('as a list whose items mean different things', () => {
    expect(tuple(integer, text, integer)([1, umlauts, 2])).toEqual([1, 'ünï', 2])
  })

  it('as such a list, with more to come in later versions', () => {
    expect(tuple(integer)([1, 2, 3])).toEqual([1])
  })

  it.each<[string, (reply: Reply) => unknown, Reply, string]>([
    ['an integer', integer, null, 'Expected Redis to reply with an integer, got null'],
    ['an integer', integer, [1], 'Expected Redis to reply with an integer, got [1]'],
    ['an integer', integer, Buffer.from('1'), 'Expected Redis to reply with an integer, got '],
    ['an integer', safeInteger, said('1.5'), 'Expected Redis to reply with an integer, got '],
    ['an integer', int64, said(''), 'Expected Redis to reply with an integer, got '],
    ['an integer', int64, null, 'Expected Redis to reply with an integer, got null'],
    ['a number', double, said(' '), 'Expected Redis to reply with a number, got '],
    ['a number', double, said('1.5.5'), 'Expected Redis to reply with a number, got '],
    ['a number', double, said('0x10'), 'Expected Redis to reply with a number, got a text of 4 bytes'],
    ['a number', double, said(' 12'), 'Expected Redis to reply with a number, got a text of 3 bytes'],
    [
      'an integer',
      int64,
      said('9'.repeat(50)),
      'Expected Redis to reply with an integer, got a text of 50 bytes',
    ],
    ['a number', double, null, 'Expected Redis to reply with a number, got null'],
    ['a boolean', boolean, 2, 'Expected Redis to reply with 1 or 0, got 2'],
    ['a boolean', boolean, said('QUEUED'), 'Expected Redis to reply with 1 or 0, got '],
    ['a status', status, null, 'Expected Redis to reply with OK, got null'],
    ['bytes', bytes, 1, 'Expected Redis to reply with bytes, got 1'],
    ['bytes', nullable(bytes), 1, 'Expected Redis to reply with bytes, got 1'],
    ['pairs', pairs(integer, integer), [1, 2, 3], 'Expected Redis to reply with pairs, got [1, 2, 3]'],
    ['a text', text, 1, 'Expected Redis to reply with a text, got 1'],
    ['a text', text, null, 'Expected Redis to reply with a text, got null'],
    ['a list', list(integer), null, 'Expected Redis to reply with a list, got null'],
    ['a list', list(integer), 1, 'Expected Redis to reply with a list, got 1'],
    ['a list of integers', list(integer), [1, null], 'Expected Redis to reply with an integer, got null'],
    ['a pair', tuple(integer, integer), [1], 'Expected Redis to reply with 2 items, got [1]'],
    ['a pair', tuple(integer, text), [1, 2], 'Expected Redis to reply with a text, got 2'],
  ])('that is not %s says what it is instead', (_, decode, reply, message) => {
    expect(() => decode(reply)).toThrow(UnexpectedReplyError)
    expect(() => decode(reply)).toThrow(message)
  })

  it.each<[string, Reply]>([
    ['a text', said('canary')],
    ['digits', 'canary'],
    ['a list', [1, said('canary'), [said('canary')], 4, 5]],
    ['a long list', Array<Reply>(10_000).fill(said('canary'))],
  ])('that is %s is not quoted, since it may be a secret', (_, reply) => {
    const { message } = new UnexpectedReplyError('an integer', reply)
    expect(message).not.toContain('canary')
    expect(message).not.toContain(said('canary').join()) // nor as the numbers of its bytes
    expect(message).not.toContain(String(said('canary')[0])) // as the number of a byte
    expect(message.length).toBeLessThan(150)
  })
})

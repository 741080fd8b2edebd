import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { highwayHash128, highwayHash128Words } from '../../../src/util/hash/highway-hash.js'
import { highwayHashReference } from './highway-hash-reference.js'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

describe('the hash', () => {
  /** What Redisson makes of these values, in base64 without padding. */
  it.each([
    ['', 't6rZwibGo2uy1OSmNVe8pg'],
    ['a', 'qwvAS12pR0CgRitaypEjUw'],
    ['hello', 'f9HQvNDAheFw9dLeJvan2Q'],
    ['"hello"', 'D/s1HAz8UzEnMfC7NLI8zw'],
    ['123', '03exIjo7KoB8L1ptb8A7OA'],
    ['key1', 'td70ePIfZeWyYYH5QeK0MQ'],
    ['{"a":1,"b":"x"}', 'BxQrKPpAez6UJmQEqF0Nhg'],
    ['é中😀', '8bmModU4DQffgBAMqHOLKw'],
    [`${letters}ABCDE`, '3ZKYEZkOEDVzB/JHHrzp2A'],
    [`${letters}ABCDEF`, 'd2k7LOap5zej5EGcG6g/8Q'],
    [`${letters}ABCDEFG`, 'tH9ugjpZNzpbMLD9FQwXNA'],
    ['0123456789'.repeat(10), 'PGTC5lRDfW8pXFXiC1Jzbg'],
    ['student:001', 'DqvoYruF5eyLDrILcprmBw'],
    ['student:002', 'Lcoy0ji/MncMvbqDj+KCvA'],
    ['0123456789abcdef0123456789abcdef0', 'bJFqmqUcs2MICdEOv9KOyw'],
  ])('of %o is that of Redisson', (value, expected) => {
    expect(highwayHash128(Buffer.from(value)).toString('base64').replaceAll('=', '')).toBe(expected)
  })

  it('is that of the reference for bytes of every length around two packets', () => {
    for (let length = 0; length <= 100; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => at * 37 + length)
      expect(highwayHash128(bytes).toString('hex'), `${length} bytes`).toBe(highwayHashReference(bytes))
    }
  })

  it('is that of the reference for any bytes, wherever they lie in their buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(7), (bytes, offset) => {
        const moved = new Uint8Array(offset + bytes.length).subarray(offset)
        moved.set(bytes)
        expect(highwayHash128(moved).toString('hex')).toBe(highwayHashReference(bytes))
      }),
      { numRuns: 500 },
    )
  })

  it.each([0x00, 0x7f, 0x80, 0xff])('is that of the reference for extremes: bytes of %i', (value) => {
    for (const length of [32, 64, 1024]) {
      const bytes = new Uint8Array(length).fill(value)
      expect(highwayHash128(bytes).toString('hex')).toBe(highwayHashReference(bytes))
    }
  })

  it('is there as words too, the highest first', () => {
    expect([...highwayHash128Words(Buffer.from('a'))].map((word) => (word >>> 0).toString(16))).toEqual([
      'ab0bc04b',
      '5da94740',
      'a0462b5a',
      'ca912353',
    ])
  })

  it('is a buffer that later hashes leave alone', () => {
    const first = highwayHash128(Buffer.from('a'))
    highwayHash128(Buffer.from('b'))
    expect(first.toString('hex')).toBe('ab0bc04b5da94740a0462b5aca912353')
  })
})

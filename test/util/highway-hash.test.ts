import { expect, it } from 'vitest'
import { highwayHash128 } from '../../src/util/highway-hash.js'

/** What Redisson makes of these values, in base64 without padding. */
it.each([
  ['', 't6rZwibGo2uy1OSmNVe8pg'],
  ['a', 'qwvAS12pR0CgRitaypEjUw'],
  ['student:001', 'DqvoYruF5eyLDrILcprmBw'],
  ['student:002', 'Lcoy0ji/MncMvbqDj+KCvA'],
  ['0123456789abcdef0123456789abcdef0', 'bJFqmqUcs2MICdEOv9KOyw'],
])('the hash of %o is that of Redisson', (value, expected) => {
  expect(highwayHash128(Buffer.from(value)).toString('base64').replaceAll('=', '')).toBe(expected)
})

it('the hashes of values of every length around a packet differ', () => {
  const hashes = Array.from({ length: 100 }, (_, length) =>
    highwayHash128(Buffer.alloc(length, 7)).toString('hex'),
  )
  expect(new Set(hashes).size).toBe(100)
})

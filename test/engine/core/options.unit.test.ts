import { expect, it } from 'vitest'
import { demandNoMore, demandOptions, known } from '../../../src/core/arguments/options.js'

const call = known<{ waitMs: number; signal: string }>(
  { waitMs: true, signal: true },
  { shortForm: 'a number', elsewhere: { leaseMs: 'lock()' } },
)

it.each([
  [{}],
  [{ waitMs: 1 }],
  [{ waitMs: undefined, signal: 's' }],
  [Object.create(null)],
  [Object.create({ nonsense: 1 })],
  [
    new (class Given {
      readonly waitMs = 1
    })(),
  ],
])('takes %o', (options) => {
  expect(() => {
    demandOptions(options, call)
  }).not.toThrow()
})

it.each([
  [{ waitms: 1 }, '`waitms`: did you mean `waitMs`?'],
  [{ wait: 1 }, '`wait`: did you mean `waitMs`?'],
  [{ timeout: 1 }, '`timeout`: did you mean `waitMs`?'],
  [{ lease: 1 }, '`lease`: `leaseMs` is an option of lock()'],
  [{ ttl: 1 }, '`ttl`: `leaseMs` is an option of lock()'],
  [{ constructor: 1 }, '`constructor`'],
  [JSON.parse('{ "__proto__": 1 }'), '`__proto__`'],
  [{ ['x'.repeat(100)]: 1 }, `'${'x'.repeat(80)}'... 20 more characters`],
])('refuses %o, and says what may have been meant', (options, got) => {
  expect(() => {
    demandOptions(options, call)
  }).toThrow(new TypeError(`Expected no options but waitMs, signal, got ${got}`))
})

it.each([[undefined], [null], ['1'], [[]], [new Map([['waitMs', 1]])], [new AbortController().signal]])(
  'refuses %o, which is no object of options',
  (options) => {
    expect(() => {
      demandOptions(options, call)
    }).toThrow(/^Expected the options to be an object or a number, got /)
  },
)

it('shows what the options look like, where the call says so', () => {
  const shaped = known<{ readonly ttlMs?: number }>({ ttlMs: true }, { shape: '{ ttlMs: 60_000 }' })
  expect(() => {
    demandOptions(undefined, shaped)
  }).toThrow(new TypeError('Expected the options to be an object such as { ttlMs: 60_000 }, got undefined'))
})

it('refuses an argument too many, and says what may have been meant', () => {
  expect(() => {
    demandNoMore(undefined)
  }).not.toThrow()
  expect(() => {
    demandNoMore('SECONDS')
  }).toThrow(
    new TypeError(
      'Expected no further argument, got a string of 7 characters: every duration is in milliseconds',
    ),
  )
})

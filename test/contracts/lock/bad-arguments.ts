import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { LockFixture } from '../lock-fixture.js'

/** The lock, as a program without types sees it. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

type Refused = readonly [kind: ErrorConstructor, message: string]

const noNumber = (name: string, got: string): Refused => [
  RangeError,
  `Expected \`${name}\` to be a number of milliseconds, got ${got}`,
]

const tooLong = (name: string, got: string): Refused => [
  RangeError,
  `Expected \`${name}\` to be at most 9007199254740991 milliseconds, got ${got}`,
]

const noOptions = (got: string): Refused => [
  TypeError,
  `Expected the options to be an object or a number of milliseconds, got ${got}`,
]

/** Where there is no short form. */
const noObject = (got: string): Refused => [
  TypeError,
  `Expected the options to be an object such as { waitMs: 500 }, got ${got}`,
]

const unknownOption = (names: string, got: string): Refused => [
  TypeError,
  `Expected no options but ${names}, got ${got}`,
]

const surplus = (got: string): Refused => [
  TypeError,
  `Expected no further argument, got ${got}: every duration is in milliseconds`,
]

const besideOptions = (got: string): Refused => [
  TypeError,
  `Expected no further argument, got ${got}: options take the place of both numbers`,
]

const noSignal = (got: string): Refused => [TypeError, `Expected \`signal\` to be an AbortSignal, got ${got}`]

const noThread = (got: string): Refused => [
  RangeError,
  `Expected \`threadId\` to be a positive integer or an owner like \`clientId:threadId\`, got ${got}`,
]

type BadCall = readonly [method: string, args: readonly unknown[], ...Refused]

const fn = () => undefined

const LOCK = 'waitMs, leaseMs, signal, threadId'
const HOLD = 'waitMs, leaseMs, signal'
const WITH_LOCK = 'waitMs, leaseMs, signal, releaseWaitMs'

const OF_THOSE_WITH_THREADS = '`threadId` is an option of lock(), tryLock() and unlock()'

const calls: readonly BadCall[] = [
  ['lock', [NaN], ...noNumber('leaseMs', 'NaN')],
  ['lock', [Infinity], ...noNumber('leaseMs', 'Infinity')],
  ['lock', [2 ** 53], ...tooLong('leaseMs', '9007199254740992')],
  ['lock', [1e16], ...tooLong('leaseMs', '10000000000000000')],
  ['tryLock', [0, 1e16], ...tooLong('leaseMs', '10000000000000000')],
  ['acquire', [{ leaseMs: 1e16 }], ...tooLong('leaseMs', '10000000000000000')],
  ['lock', ['100'], ...noOptions('a string of 3 characters')],
  ['lock', [true], ...noOptions('true')],
  ['lock', [null], ...noOptions('null')],
  ['lock', [100n], ...noOptions('100n')],
  ['lock', [{ leaseMs: '100' }], ...noNumber('leaseMs', 'a string of 3 characters')],
  ['lock', [{ leaseMs: null }], ...noNumber('leaseMs', 'null')],
  ['lock', [{ leaseMs: 100n }], ...noNumber('leaseMs', '100n')],
  ['lock', [{ signal: {} }], ...noSignal('{}')],
  ['lock', [{ signal: 'abort' }], ...noSignal('a string of 5 characters')],
  ['lock', [{ signal: null }], ...noSignal('null')],

  ['tryLock', [NaN], ...noNumber('waitMs', 'NaN')],
  ['tryLock', ['100'], ...noNumber('waitMs', 'a string of 3 characters')],
  ['tryLock', [100n], ...noNumber('waitMs', '100n')],
  ['tryLock', [null], ...noOptions('null')],
  ['tryLock', [0, NaN], ...noNumber('leaseMs', 'NaN')],
  ['tryLock', [0, Infinity], ...noNumber('leaseMs', 'Infinity')],
  ['tryLock', [0, '100'], ...noNumber('leaseMs', 'a string of 3 characters')],
  ['tryLock', [0, null], ...noNumber('leaseMs', 'null')],
  ['tryLock', [{ waitMs: NaN }], ...noNumber('waitMs', 'NaN')],
  ['tryLock', [{ waitMs: '1' }], ...noNumber('waitMs', 'a string of 1 character')],
  ['tryLock', [{ leaseMs: NaN }], ...noNumber('leaseMs', 'NaN')],
  ['tryLock', [{ signal: 1 }], ...noSignal('1')],

  ['acquire', [{ leaseMs: NaN }], ...noNumber('leaseMs', 'NaN')],
  ['acquire', ['100'], ...noObject('a string of 3 characters')],
  ['acquire', [100], ...noObject('100')],
  ['acquire', [['100']], ...noObject("[ '…' ]")],
  ['acquire', [new AbortController().signal], ...noObject('[AbortSignal]')],
  ['tryAcquire', [{ waitMs: NaN }], ...noNumber('waitMs', 'NaN')],
  ['tryAcquire', [null], ...noObject('null')],
  ['tryAcquire', [100], ...noObject('100')],
  ['withLock', [fn, { waitMs: NaN }], ...noNumber('waitMs', 'NaN')],
  ['withLock', [fn, { leaseMs: Infinity }], ...noNumber('leaseMs', 'Infinity')],
  ['withLock', [fn, { signal: {} }], ...noSignal('{}')],
  ['withLock', [fn, '100'], ...noObject('a string of 3 characters')],
  ['withLock', [fn, 100], ...noObject('100')],

  ['lock', [{ ttl: 100 }], ...unknownOption(LOCK, '`ttl`: did you mean `leaseMs`?')],
  ['lock', [{ leaseTime: 100 }], ...unknownOption(LOCK, '`leaseTime`: did you mean `leaseMs`?')],
  ['lock', [{ 'no name': 1 }], ...unknownOption(LOCK, "'no name'")],
  ['lock', [{ nothing: undefined }], ...unknownOption(LOCK, '`nothing`')],
  ['lock', [{ timeout: 100 }], ...unknownOption(LOCK, '`timeout`: did you mean `waitMs`?')],
  ['tryLock', [{ waitTime: 100 }], ...unknownOption(LOCK, '`waitTime`: did you mean `waitMs`?')],
  ['tryLock', [{ timeout: 100 }], ...unknownOption(LOCK, '`timeout`: did you mean `waitMs`?')],
  ['unlock', [{ thread: 7 }], ...unknownOption('threadId', '`thread`: did you mean `threadId`?')],
  ['acquire', [{ threadId: 7 }], ...unknownOption(HOLD, `\`threadId\`: ${OF_THOSE_WITH_THREADS}`)],
  ['tryAcquire', [{ threadId: 7 }], ...unknownOption(HOLD, `\`threadId\`: ${OF_THOSE_WITH_THREADS}`)],
  ['withLock', [fn, { leaseMS: 100 }], ...unknownOption(WITH_LOCK, '`leaseMS`: did you mean `leaseMs`?')],
  ['withLock', [fn, { retries: 3 }], ...unknownOption(WITH_LOCK, '`retries`: did you mean `waitMs`?')],

  ['lock', [10, 'SECONDS'], ...surplus('a string of 7 characters')],
  ['tryLock', [100, 10, 'SECONDS'], ...surplus('a string of 7 characters')],
  ['tryLock', [{ waitMs: 100 }, 10], ...besideOptions('10')],
  ['unlock', [{ threadId: 7 }, 'SECONDS'], ...surplus('a string of 7 characters')],
  ['acquire', [{ leaseMs: 100 }, 100], ...surplus('100')],
  ['tryAcquire', [{ waitMs: 100 }, 100], ...surplus('100')],
  ['withLock', [fn, {}, 100], ...surplus('100')],
]

const badThreads: readonly (readonly [unknown, string])[] = [
  [0, '0'],
  [-1, '-1'],
  [1.5, '1.5'],
  [NaN, 'NaN'],
  [2 ** 53, '9007199254740992'],
  [0n, '0n'],
  [2n ** 63n, '9223372036854775808n'],
  ['', 'an empty string'],
  ['x', 'a string of 1 character'],
  ['07', 'a string of 2 characters'],
  [' 7', 'a string of 2 characters'],
  [':7', 'a string of 2 characters'],
  ['client:', 'a string of 7 characters'],
  ['client:x', 'a string of 8 characters'],
  [null, 'null'],
  [{}, '{}'],
  [Object.create(null), '{}'],
  [Symbol('7'), 'Symbol(7)'],
]

export function badArguments(bench: LockFixture): void {
  describe('asking it for nonsense', () => {
    noLeaks(bench.topology)

    let monitor: Monitor
    beforeAll(async () => {
      monitor = await Monitor.of(bench.topology.nodes)
    })
    afterAll(() => monitor[Symbol.asyncDispose]())

    const refusal = async (ask: (lock: Untyped) => Promise<unknown> | undefined): Promise<Error> => {
      const error: unknown = await ask(untyped(bench.lock))?.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(Error)
      expect(await monitor.deedsOn(bench.name)).toEqual([])
      return error as Error
    }

    it.each(calls)('%s(…%o) is refused, and nothing is sent', async (method, args, kind, message) => {
      const error = await refusal((lock) => lock[method]?.(...args))
      expect(error).toBeInstanceOf(kind)
      expect(error.message).toBe(message)
    })

    it.each(badThreads)('a threadId of %o is refused, and nothing is sent', async (threadId, got) => {
      const [kind, message] = noThread(got)
      for (const ask of [
        (lock: Untyped) => lock['lock']?.({ threadId }),
        (lock: Untyped) => lock['tryLock']?.({ threadId }),
        (lock: Untyped) => lock['unlock']?.({ threadId }),
        (lock: Untyped) => lock['isHeldByThread']?.(threadId),
      ]) {
        const error = await refusal(ask)
        expect(error).toBeInstanceOf(kind)
        expect(error.message).toBe(message)
      }
    })

    it.each([[undefined], ['function'], [{}]])(
      'withLock(%o) is refused before the lock is taken, because that is no function',
      async (value) => {
        const error = await refusal((lock) => lock['withLock']?.(value))
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message).toMatch(/^Expected `fn` to be a function, got /)
      },
    )

    it('runAsThread() is refused for a bad thread', async () => {
      await expect(bench.mine.runAsThread(fn, { threadId: 'x' })).rejects.toThrow(
        noThread('a string of 1 character')[1],
      )
    })

    it.each([
      ['', 'an empty string'],
      [undefined, 'undefined'],
      [null, 'null'],
      [7, '7'],
      [7n, '7n'],
      [{}, '{}'],
    ])('a name of %o is refused', (name, got) => {
      expect(() => bench.lockOf(bench.mine, name as string)).toThrow(
        new TypeError(`Expected \`name\` to be a non-empty string without lone surrogates, got ${got}`),
      )
    })
  })
}

function untyped(lock: RLock): Untyped {
  return lock as unknown as Untyped
}

import fc from 'fast-check'
import { vi, type Mock } from 'vitest'
import { fields, given, oneOf, Planted, values, type Given } from '../fuzz/given.js'
import { hostile, hostileTexts, realSignals } from '../fuzz/hostile.js'

/** What a method takes at one place. */
export interface Argument {
  /** What it is in a sound call. */
  readonly sound: unknown
  /** What the fuzzing passes: sound more often than not, so that calls go far. */
  readonly any: fc.Arbitrary<Given>
  /** Null itself, and what is sound but for a null in it: all are refused. */
  readonly nulls: readonly unknown[]
  /** Whether there may be any number of it. */
  readonly isRest?: boolean
}

type Fields = Readonly<Record<string, Argument>>

function argument(sound: unknown, any: fc.Arbitrary<Given>): Argument {
  return { sound, any, nulls: [null] }
}

/** Sound more often than not. */
const mostly = (sound: fc.Arbitrary<Given>) =>
  fc.oneof({ weight: 3, arbitrary: sound }, { weight: 1, arbitrary: hostile })

/** One of these, of which the first is sound, or anything else. */
export const one = (sound: unknown, ...others: readonly unknown[]) =>
  argument(sound, mostly(values(sound, ...others)))

/** The same, and nothing else, where anything else would do harm. */
export const only = (sound: unknown, ...others: readonly unknown[]) =>
  argument(sound, values(sound, ...others))

/** A whole number. */
export const whole = (min: number, max: number, sound = max) =>
  argument(sound, mostly(fc.integer({ min, max }).map(given)))

/** The same for what may be null. */
export const nullable = (taken: Argument): Argument => ({ ...taken, nulls: [] })

/** The same where options may be instead: they are null then. */
export const orOptions = nullable

/** A list of what `element` is, of which the first is sound. */
export const list = (
  { nulls }: Argument,
  sound: readonly unknown[],
  ...others: readonly unknown[]
): Argument => ({
  ...one(sound, ...others),
  nulls: [null, ...nulls.map((each) => [each])],
})

/** Any number of arguments. */
export const many = (taken: Argument): Argument => ({ ...taken, isRest: true })

/** An object with options, all of which are sound together. */
export function options(optional: Fields, required: Fields = {}): Argument {
  const all = { ...required, ...optional }
  const shape = Object.fromEntries(Object.entries(all).map(([name, { any }]) => [name, any]))
  const sound = (some: Fields) =>
    Object.fromEntries(Object.entries(some).map(([name, each]) => [name, each.sound]))
  return {
    sound: sound(all),
    any: mostly(fc.oneof(fields(shape, Object.keys(required)), fields(shape))),
    nulls: [
      null,
      ...Object.entries(all).flatMap(([name, { nulls }]) =>
        nulls.map((each) => ({ ...sound(required), [name]: each })),
      ),
    ],
  }
}

/** What refused calls do not call. */
export const called: Mock = vi.fn()

/** What calls the above, and is short in messages. */
const callback = () => called() as unknown

/** A function, which may fail in any way. */
export const fn = argument(
  callback,
  mostly(
    oneOf({
      'a function': () => () => 'done',
      'an asynchronous function': () => () => Promise.resolve('done'),
      'a function that throws': () => () => {
        throw new Planted('by fn')
      },
      'a function that returns a thenable which throws': () => () => ({
        then: () => {
          throw new Planted('by then')
        },
      }),
    }),
  ),
)

/** The same as what `makes` makes. */
export const fnOf = (makes: Readonly<Record<string, () => unknown>>) =>
  argument(callback, mostly(oneOf(makes)))

/** Anything at all: what is sound depends on the others. */
export const whatever = (sound: unknown) => argument(sound, hostile)

export const listener = argument(callback, mostly(values(() => undefined)))
export const signal = argument(new AbortController().signal, mostly(realSignals))
export const name = argument('a', mostly(fc.oneof(values('a', 'b'), hostileTexts)))
export const flag = one(true, false)
export const waitMs = whole(-1, 30)
export const leaseMs = whole(-1, 100)
export const threadId = one(1, 2, 3n, '4', 'another:5')
export const permits = whole(0, 4)
export const database = whole(0, 4)
export const time = argument(
  100,
  mostly(fc.oneof(fc.integer({ min: -1, max: 100 }).map(given), values(new Date(0), new Date(NaN)))),
)
/** Each of them takes a part of the reply, or gets an id of its own, so that a great many take long. */
export const howMany = argument(
  2,
  fc.oneof(fc.integer({ min: -1, max: 4 }).map(given), values(NaN, 0.5, -0, '1', 1n, null, {})),
)
/** A bit at such a place takes 256 MB or more. */
const FAR: readonly string[] = [String(2 ** 31), String(2 ** 32)]
/** A place near the beginning, so that values stay small. */
export const place = argument(
  1,
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }).map(given) },
    { weight: 1, arbitrary: hostile.filter(({ label }) => !FAR.includes(label)) },
  ),
)
/** All that is renamed, copied or stored gets one name, so that it can be told from what should not be left. */
export const newName = only('renamed', '', '\ud800', null, undefined, 7)
export const operand = one(1, 0, -1, 0.5, 0n, 1n, -1n, 2n ** 62n)
export const bigOperand = one(1n, 0n, -1n, 2n ** 62n, 0, 1, -1, 0.5)
/** Null is a matter of the codec. */
export const key = nullable(one('a', 'b', '', '__proto__'))
export const keys = list(key, ['a', 'b'], new Set(['a']))
export const value = nullable(one('two', 1, null, { a: [1] }))
export const valueList = list(value, ['a', 'b'], new Set(['a']), [])
export const entries = one({ c: 3 }, new Map([['a', 1]]), [['b', 2]])
export const bytes = one(Buffer.of(1, 2, 3), new Uint8Array(), Buffer.from('text'))

export const syncedReplicas = one(0)
export const lockSettings = options({ syncedReplicas })
export const readWriteSettings = options({ prefer: one('reader', 'writer'), syncedReplicas })
export const permitSettings = options({ permits })
const count = whole(0, 9)
const onInvalid = one('throw', 'skip')
const pattern = one('*', 'a*')
export const listScan = options({ count, onInvalid, signal })
export const scan = options({ pattern, count, onInvalid, signal })
export const iteratorName = one('other', '')
export const distributedScan = options({ pattern, count, onInvalid, signal, iteratorName })
export const polling = options({ waitMs, signal })
export const aborting = options({ signal })

/** A schema that checks nothing, for which `validate` makes sense. */
const schema = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } }
export const codec = one(schema)
export const validate = one('both', 'write')
export const exactlyOnce = flag
export const objectOptions = options({ exactlyOnce })
export const codecOptions = options({ codec, validate })
export const valueOptions = options({ codec, validate, exactlyOnce })

/** How an entry of a cache is stored, and how its value is loaded. */
export const cacheEntry = {
  ttlMs: whole(0, 100),
  staleMs: whole(0, 100),
  jitter: one(0.5, 0, 1),
  tags: one(['a'], []),
}
export const cacheLoad = {
  ...cacheEntry,
  negativeTtlMs: whole(0, 100),
  earlyRefresh: one(1, 0),
  softTimeoutMs: whole(0, 20),
  hardTimeoutMs: one(1000, 1),
  redisTimeoutMs: one(1000),
}
export const cacheOptions = options({ ...cacheLoad, codec, validate })

/** A table behind a map. */
export const table = {
  loader: { load: (key: string) => (key === 'loaded' ? 1 : undefined), loadAllKeys: () => ['loaded'] },
  writer: { write: () => undefined, delete: () => undefined },
}

export { count, onInvalid, pattern, Planted }

import fc from 'fast-check'
import { given, oneOf, Planted, values, type Given } from './given.js'

const nothing = () => undefined

const numbers = values(
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  -1,
  0.5,
  1e-320,
  1e21,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  Number.MAX_VALUE,
)

const scalars = values(undefined, null, true, false, 1n, -1n, 2n ** 64n, Symbol('s'), Symbol.iterator)

export const hostileTexts = values(
  '',
  ' ',
  '0',
  '1',
  '-1',
  'NaN',
  '1e3',
  '{',
  '}',
  '{}',
  '}{',
  '{a}{b}',
  '\u0000',
  '\r\n',
  '\ud800',
  '\udc00\ud800',
  '😀',
  '*',
  '%s',
  'x'.repeat(100_000),
  '__proto__',
  'constructor',
  ':1',
  'redis://',
)

const objects = oneOf({
  'a date': () => new Date(0),
  'an invalid date': () => new Date(NaN),
  'a buffer': () => Buffer.from([0, 255, 13, 10]),
  'an array with holes': () => new Array<unknown>(3),
  'an object without a prototype': () => Object.create(null) as unknown,
  'an object with a key __proto__': () =>
    JSON.parse('{"__proto__":{"waitMs":"1"},"constructor":1}') as unknown,
  'a frozen object': () => Object.freeze({}),
  'an object with getters that throw': () =>
    Object.defineProperties(
      {},
      Object.fromEntries(optionNames.map((name) => [name, { get: plant, enumerable: true }])),
    ),
  'an object that cannot be shown': () => ({
    [Symbol.for('nodejs.util.inspect.custom')]: fail,
    [Symbol.toPrimitive]: fail,
    toString: fail,
    toJSON: fail,
  }),
  'a proxy that throws': () =>
    new Proxy({}, { get: plant, has: plant, ownKeys: plant, getOwnPropertyDescriptor: plant }),
  'an object of a class': () =>
    new (class Options {
      waitMs = 1
    })(),
  'an object with a symbol': () => ({ [Symbol('waitMs')]: 1 }),
  'an object that says it can be walked': () => ({ [Symbol.iterator]: true }),
  'a list of pairs with holes': () => [new Array<unknown>(2), , ['a', 1]], // eslint-disable-line no-sparse-arrays
  'a promise': () => Promise.resolve(1),
  'a promise that is rejected': () => handled(Promise.reject(new Planted('rejected'))),
  'a thenable that throws': () => ({ then: plant }),
  'a regular expression': () => /x/,
  'an error': () => new Error('given'),
  'a map': () => new Map([['waitMs', 1]]),
  'an endless iterable': () => ({
    *[Symbol.iterator]() {
      for (;;) yield 1
    },
  }),
  'an iterable that throws': () => ({ [Symbol.iterator]: plant }),
  'a circular object': () => {
    const circle: Record<string, unknown> = {}
    circle['waitMs'] = circle
    return circle
  },
  'the global object': () => globalThis,
})

const functions = oneOf({
  'a function': () => nothing,
  'a function that throws': () => plant,
  'an asynchronous function that throws': () => async () => {
    await Promise.resolve()
    plant()
  },
})

const signals = oneOf({
  'a signal that has aborted': () => AbortSignal.abort(),
  'a signal that has aborted with a text': () => AbortSignal.abort(ABORTED),
  'a signal that aborts soon': () => AbortSignal.timeout(20),
  'a signal that never aborts': () => new AbortController().signal,
})

/** What can be listened to, and is no signal all the same. */
const falseSignals = oneOf({
  'an event target': () => new EventTarget(),
  'an object with addEventListener': () => ({ addEventListener: nothing }),
  'a controller': () => new AbortController(),
  'an object that inherits from AbortSignal': () => Object.create(AbortSignal.prototype) as unknown,
})

/** What a signal gives as its reason that is no error. */
export const ABORTED = 'given up'

export const realSignals = signals

/** Anything at all. */
export const hostile: fc.Arbitrary<Given> = fc.oneof(
  { weight: 3, arbitrary: numbers },
  scalars,
  hostileTexts,
  { weight: 2, arbitrary: objects },
  functions,
  signals,
  falseSignals,
  fc
    .anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    })
    .map(given),
)

const optionNames = [
  'waitMs',
  'leaseMs',
  'signal',
  'threadId',
  'permits',
  'keepAliveMs',
  'syncedReplicas',
  'type',
]

function plant(): never {
  throw new Planted('planted')
}

/** For what the library has no reason to call. */
function fail(): never {
  throw new TypeError('this was not to be called')
}

function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(nothing)
  return promise
}

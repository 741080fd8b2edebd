import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Comparison } from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { single } from '../support/topologies.js'
import { withinTime } from '../support/within-time.js'

const RUNS = { numRuns: 60 }

const LIMIT_MS = 4_000

const SMALLEST = -(2n ** 63n)
const LARGEST = 2n ** 63n - 1n

/** Numbers at which something changes: signs, lengths, the bounds of `number` and of 64 bits. */
const edges = [
  0n,
  1n,
  -1n,
  9n,
  10n,
  -10n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n),
  LARGEST - 1n,
  LARGEST,
  SMALLEST,
]
const long = fc.oneof(
  fc.constantFrom(...edges),
  fc.bigInt({ min: SMALLEST, max: LARGEST }),
  fc.bigInt({ min: -3n, max: 3n }),
)

/** Sixteenths, of which sums are exact. */
const double = fc.integer({ min: -(2 ** 30), max: 2 ** 30 }).map((sixteenths) => sixteenths / 16)

const comparison = fc.constantFrom<Comparison[]>('<', '<=', '>', '>=', '==', '!=')

function compares<N extends number | bigint>(value: N, comparison: Comparison, limit: N): boolean {
  switch (comparison) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
    case '==':
      return value === limit
    case '!=':
      return value !== limit
  }
}

const move = <N>(number: fc.Arbitrary<N>) =>
  fc.record({
    what: fc.constantFrom(
      'get',
      'set',
      'getAndSet',
      'getAndDelete',
      'addAndGet',
      'getAndAdd',
      'incrementAndGet',
      'getAndDecrement',
      'compareAndSet',
      'setIfLess',
      'setIfGreater',
      'compareAndDelete',
    ),
    number,
    other: number,
    comparison,
    /** Whether the number to compare with is the present value. */
    same: fc.boolean(),
  })

interface Move<N> {
  readonly what: string
  readonly number: N
  readonly other: N
  readonly comparison: Comparison
  readonly same: boolean
}

/** What a counter should be: a number, or none. */
class CounterModel<N extends number | bigint> {
  value: N | undefined
  readonly #zero: N
  readonly #sum: (one: N, another: N) => N | undefined

  /**
   * @param sum - undefined where it is too large
   */
  constructor(zero: N, sum: (one: N, another: N) => N | undefined) {
    this.#zero = zero
    this.#sum = sum
  }

  get(): N {
    return this.value ?? this.#zero
  }

  replace(value: N | undefined): N {
    const before = this.get()
    this.value = value
    return before
  }

  add(delta: N): { readonly before: N; readonly after: N } | undefined {
    const before = this.get()
    const after = this.#sum(before, delta)
    if (after === undefined) return undefined
    this.value = after
    return { before, after }
  }

  setIf(comparison: Comparison, limit: N, value: N): boolean {
    if (!compares(this.get(), comparison, limit)) return false
    this.value = value
    return true
  }

  deleteIf(comparison: Comparison, limit: N): boolean {
    if (this.value === undefined || !compares(this.value, comparison, limit)) return false
    this.value = undefined
    return true
  }
}

/** What the methods of all counters have in common. */
interface Face<N extends number | bigint> {
  get(): Promise<N>
  set(value: N): Promise<void>
  getAndSet(value: N): Promise<N>
  getAndDelete(): Promise<N>
  addAndGet(delta: N): Promise<N>
  getAndAdd(delta: N): Promise<N>
  incrementAndGet(): Promise<N>
  getAndDecrement(): Promise<N>
  compareAndSet(expected: N, value: N): Promise<boolean>
  setIfLess(limit: N, value: N): Promise<boolean>
  setIfGreater(limit: N, value: N): Promise<boolean>
  compareAndDelete(comparison: Comparison, limit: N): Promise<boolean>
}

const TOO_LARGE = 'COUNTER_OVERFLOW'

/** What a call returns, or the code of its error. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return await call.catch((error: unknown) => (error as { readonly code: string }).code)
}

async function play<N extends number | bigint>(
  counter: Face<N>,
  model: CounterModel<N>,
  one: N,
  { what, number, other, comparison, same }: Move<N>,
): Promise<void> {
  const limit = same ? model.get() : other
  const minusOne = -one as N
  switch (what) {
    case 'get':
      expect(await counter.get()).toBe(model.get())
      break
    case 'set':
      await counter.set(number)
      model.replace(number)
      break
    case 'getAndSet':
      expect(await counter.getAndSet(number)).toBe(model.replace(number))
      break
    case 'getAndDelete':
      expect(await counter.getAndDelete()).toBe(model.replace(undefined))
      break
    case 'addAndGet':
      expect(await outcome(counter.addAndGet(number))).toBe(model.add(number)?.after ?? TOO_LARGE)
      break
    case 'getAndAdd':
      expect(await outcome(counter.getAndAdd(number))).toBe(model.add(number)?.before ?? TOO_LARGE)
      break
    case 'incrementAndGet':
      expect(await outcome(counter.incrementAndGet())).toBe(model.add(one)?.after ?? TOO_LARGE)
      break
    case 'getAndDecrement':
      expect(await outcome(counter.getAndDecrement())).toBe(model.add(minusOne)?.before ?? TOO_LARGE)
      break
    case 'compareAndSet':
      expect(await counter.compareAndSet(limit, number)).toBe(model.setIf('==', limit, number))
      break
    case 'setIfLess':
      expect(await counter.setIfLess(limit, number)).toBe(model.setIf('<', limit, number))
      break
    case 'setIfGreater':
      expect(await counter.setIfGreater(limit, number)).toBe(model.setIf('>', limit, number))
      break
    case 'compareAndDelete':
      expect(await counter.compareAndDelete(comparison, limit)).toBe(model.deleteIf(comparison, limit))
  }
}

describe('counters used at random', () => {
  const clients = twoClients(single)

  it.each([false, true])('do what integers of 64 bits do (exactlyOnce: %o)', async (exactlyOnce) => {
    const counter = clients.mine.getAtomicLong('model-long', { bigint: true, exactlyOnce })
    await fc.assert(
      fc.asyncProperty(
        fc.array(move(long), { maxLength: 30 }),
        withinTime(LIMIT_MS, async (moves) => {
          await counter.delete()
          const model = new CounterModel<bigint>(0n, (one, another) =>
            BigInt.asIntN(64, one + another) === one + another ? one + another : undefined,
          )
          for (const each of moves) await play(counter, model, 1n, each)
          expect(await counter.get()).toBe(model.get())
        }),
      ),
      RUNS,
    )
    await counter.delete()
  })

  it.each([false, true])('do what numbers with fractions do (exactlyOnce: %o)', async (exactlyOnce) => {
    const counter = clients.mine.getAtomicDouble('model-double', { exactlyOnce })
    await fc.assert(
      fc.asyncProperty(
        fc.array(move(double), { maxLength: 30 }),
        withinTime(LIMIT_MS, async (moves) => {
          await counter.delete()
          const model = new CounterModel<number>(0, (one, another) => one + another)
          for (const each of moves) await play(counter, model, 1, each)
          expect(await counter.get()).toBe(model.get())
        }),
      ),
      RUNS,
    )
    await counter.delete()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesCodec, type RBloomFilter } from '../../../src/index.js'
import { highwayHashReference } from '../../engine/util/highway-hash-reference.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

/** A filter as Redisson for Java has it, in this process, and in numbers of any size. */
class Model {
  readonly size: bigint
  readonly iterations: number
  readonly #bits = new Set<bigint>()

  constructor(insertions: number, probability: number) {
    const size = Math.trunc((-insertions * Math.log(probability)) / (Math.log(2) * Math.log(2)))
    this.size = BigInt(size)
    this.iterations = Math.max(1, Math.round((size / insertions) * Math.log(2)))
  }

  add(value: Uint8Array): boolean {
    const news = this.#placesOf(value).filter((place) => !this.#bits.has(place))
    for (const place of news) this.#bits.add(place)
    return news.length > 0
  }

  contains(value: Uint8Array): boolean {
    return this.#placesOf(value).every((place) => this.#bits.has(place))
  }

  count(): number {
    const size = Number(this.size)
    const set = this.#bits.size
    return set === 0 ? 0 : Math.round((-size / this.iterations) * Math.log(1 - set / size))
  }

  #placesOf(value: Uint8Array): bigint[] {
    const hash = highwayHashReference(value)
    const [one, other] = [BigInt(`0x${hash.slice(0, 16)}`), BigInt(`0x${hash.slice(16)}`)]
    let sum = one
    return Array.from({ length: this.iterations }, (_, n) => {
      const place = BigInt.asUintN(63, sum) % this.size
      sum = BigInt.asUintN(64, sum + (n % 2 === 0 ? other : one))
      return place
    })
  }
}

/** One call of a filter, and what it does to the model. */
interface Move {
  readonly what: string
  readonly call: (filter: RBloomFilter<Uint8Array>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const value = fc.uint8Array({ maxLength: 70 })
const someValues = fc.array(value, { maxLength: 6 })
const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

const moves: fc.Arbitrary<Move> = fc.oneof(
  value.map((v) =>
    move(
      'add',
      (filter) => filter.add(v),
      (model) => model.add(v),
    ),
  ),
  someValues.map((all) =>
    move(
      'addAll',
      (filter) => filter.addAll(all),
      (model) => all.filter((each) => model.add(each)).length,
    ),
  ),
  value.map((v) =>
    move(
      'contains',
      (filter) => filter.contains(v),
      (model) => model.contains(v),
    ),
  ),
  someValues.map((all) =>
    move(
      'containsEach',
      (filter) => filter.containsEach(all),
      (model) => all.map((each) => model.contains(each)),
    ),
  ),
  fc.constant(
    move(
      'count',
      (filter) => filter.count(),
      (model) => model.count(),
    ),
  ),
)

const insertions = fc.oneof(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 100_000 }))
const probability = fc.constantFrom(0.5, 0.3, 0.03, 0.001, 1e-9)

describe.each(topologies)('a Bloom filter beside one in numbers of any size ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(
        insertions,
        probability,
        fc.array(moves, { maxLength: 20 }),
        async (expected, p, sequence) => {
          const filter = clients.mine.getBloomFilter('bloom-model', { codec: bytesCodec() })
          const model = new Model(expected, p)
          await filter.tryInit(expected, p)
          for (const { what, call, model: same } of sequence)
            expect(await call(filter), what).toEqual(same(model))
          await filter.delete()
        },
      ),
      RUNS,
    )
  })

  it('reads what is written of the largest and the smallest sizes', async () => {
    for (const [expected, p] of [
      [1, 0.5],
      [3, 0.6],
      [300_000_000, 0.002],
    ] as const) {
      const filter = clients.mine.getBloomFilter('bloom-model', { codec: bytesCodec() })
      const model = new Model(expected, p)
      await filter.tryInit(expected, p)
      expect(await filter.getSize()).toBe(Number(model.size))
      const wanted = Array.from({ length: 50 }, (_, n) => Buffer.from(String(n)))
      expect(await filter.containsEach(wanted)).toEqual(wanted.map(() => false))
      await filter.delete()
    }
  })
})

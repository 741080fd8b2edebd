import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BitFieldType, RBitSet } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { COMBINATIONS, type Combination } from './model.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 40 }

/** Indexes are below this. */
const MOST = 300

const NAMES = ['a', 'b', 'c'] as const
type Name = (typeof NAMES)[number]

/** A bit set in this process: its bits by their index, and how many bytes Redis keeps. */
class Model {
  bits = new Set<number>()
  bytes = 0

  get indexes(): readonly number[] {
    return [...this.bits].sort((one, other) => one - other)
  }

  set(index: number, value: boolean): boolean {
    const before = this.bits.has(index)
    this.bytes = Math.max(this.bytes, Math.floor(index / 8) + 1)
    if (value) this.bits.add(index)
    else this.bits.delete(index)
    return before
  }

  setRange(from: number, to: number, value: boolean): void {
    const behind = value ? to : Math.min(to, this.bytes * 8)
    for (let index = from; index < behind; index += 1) this.set(index, value)
  }

  replace(bits: readonly number[], bytes: number): number {
    this.bits = new Set(bits)
    this.bytes = bytes
    return bytes
  }

  not(): number {
    const all = Array.from({ length: this.bytes * 8 }, (_, index) => index)
    return this.replace(
      all.filter((index) => !this.bits.has(index)),
      this.bytes,
    )
  }

  cell({ size, offset, isSigned }: Cell): bigint {
    let value = 0n
    for (let at = offset; at < offset + size; at += 1) value = value * 2n + (this.bits.has(at) ? 1n : 0n)
    return isSigned ? BigInt.asIntN(size, value) : value
  }

  setCell(cell: Cell, value: bigint): bigint {
    const before = this.cell(cell)
    for (let at = 0; at < cell.size; at += 1)
      this.set(cell.offset + cell.size - 1 - at, ((value >> BigInt(at)) & 1n) === 1n)
    return before
  }
}

interface Cell {
  readonly size: number
  readonly offset: number
  readonly isSigned: boolean
}

type BitSets = Readonly<Record<Name, RBitSet<bigint>>>
type Models = Readonly<Record<Name, Model>>

/** One call of a bit set, and what it does to the models. */
interface Move {
  readonly what: string
  readonly call: (sets: BitSets) => Promise<unknown>
  readonly model: (models: Models) => unknown
}

const index = fc.nat({ max: MOST })
const name = fc.constantFrom(...NAMES)
const range = fc
  .tuple(index, index)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)
const bytes = fc.uint8Array({ maxLength: 20 })
const combination: fc.Arbitrary<Combination> = fc.constantFrom(...COMBINATIONS)
const cell: fc.Arbitrary<Cell> = fc
  .record({ isSigned: fc.boolean(), width: fc.integer({ min: 1, max: 64 }), offset: index })
  .map(({ isSigned, width, offset }) => ({ isSigned, offset, size: isSigned ? width : Math.min(width, 63) }))
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const held = ({ isSigned, size }: Cell, value: bigint) =>
  isSigned ? BigInt.asIntN(size, value) : BigInt.asUintN(size, value)

const typeOf = ({ isSigned, size }: Cell) => `${isSigned ? 'i' : 'u'}${size}` as BitFieldType

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(name, index, fc.boolean()).map(([at, place, value]) => ({
    what: 'set',
    call: (sets: BitSets) => sets[at].set(place, value),
    model: (models: Models) => models[at].set(place, value),
  })),
  fc.tuple(name, fc.array(index, { maxLength: 8 }), fc.boolean()).map(([at, places, value]) => ({
    what: 'setAll',
    call: (sets: BitSets) => sets[at].setAll(places, value),
    model: (models: Models) => {
      for (const place of places) models[at].set(place, value)
    },
  })),
  fc.tuple(name, range, fc.boolean()).map(([at, [from, to], value]) => ({
    what: 'setRange',
    call: (sets: BitSets) => sets[at].setRange(from, to, value),
    model: (models: Models) => {
      models[at].setRange(from, to, value)
    },
  })),
  fc.tuple(name, bytes).map(([at, all]) => ({
    what: 'setByteArray',
    call: (sets: BitSets) => sets[at].setByteArray(all),
    model: (models: Models) => {
      const places = Array.from({ length: all.length * 8 }, (_, place) => place)
      models[at].replace(
        places.filter((place) => ((all[place >> 3] ?? 0) & (0x80 >> (place & 7))) !== 0),
        all.length,
      )
    },
  })),
  name.map((at) => ({
    what: 'not',
    call: (sets: BitSets) => sets[at].not(),
    model: (models: Models) => models[at].not(),
  })),
  fc
    .tuple(name, combination, fc.array(name, { minLength: 1, maxLength: 9 }))
    .map(([at, { name: method, of }, others]) => ({
      what: method,
      call: (sets: BitSets) => sets[at][method](others.map((other) => sets[other].name)),
      model: (models: Models) => {
        const all = [at, ...others].map((each) => models[each])
        const { bits } = of(
          models[at].indexes,
          others.map((other) => models[other].indexes),
        )
        return models[at].replace(bits, Math.max(...all.map((each) => each.bytes)))
      },
    })),
  fc.tuple(name, cell, int64).map(([at, where, value]) => ({
    what: 'bitField, set',
    call: (sets: BitSets) => sets[at].bitField([{ set: typeOf(where), offset: where.offset, value }]),
    model: (models: Models) => [models[at].setCell(where, value)],
  })),
  fc.tuple(name, cell, int64).map(([at, where, by]) => ({
    what: 'bitField, increment',
    call: (sets: BitSets) => sets[at].bitField([{ increment: typeOf(where), offset: where.offset, by }]),
    model: (models: Models) => {
      const sum = held(where, models[at].cell(where) + by)
      models[at].setCell(where, sum)
      return [sum]
    },
  })),
  fc.tuple(name, cell).map(([at, where]) => ({
    what: 'get',
    call: (sets: BitSets) => sets[at][where.isSigned ? 'getSigned' : 'getUnsigned'](where.size, where.offset),
    model: (models: Models) => models[at].cell(where),
  })),
  fc.tuple(name, fc.array(index, { maxLength: 8 })).map(([at, places]) => ({
    what: 'getEach',
    call: (sets: BitSets) => sets[at].getEach(places),
    model: (models: Models) => places.map((place) => models[at].bits.has(place)),
  })),
)

describe.each(topologies)('bit sets beside sets of indexes ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it.each([false, true])('do the same for all operations (exactlyOnce: %s)', async (exactlyOnce) => {
    const of = (at: Name) => clients.mine.getBitSet(`{bits-model}:${at}`, { bigint: true, exactlyOnce })
    const sets: BitSets = { a: of('a'), b: of('b'), c: of('c') }
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 20 }), async (sequence) => {
        const models: Models = { a: new Model(), b: new Model(), c: new Model() }
        for (const { what, call, model } of sequence) expect(await call(sets), what).toEqual(model(models))
        for (const at of NAMES) {
          const { indexes, bytes: kept } = models[at]
          expect(await allOf(sets[at].indexes())).toEqual(indexes)
          expect([await sets[at].cardinality(), await sets[at].length(), await sets[at].size()]).toEqual([
            indexes.length,
            (indexes.at(-1) ?? -1) + 1,
            kept * 8,
          ])
        }
        await clients.mine.getKeys().delete(...NAMES.map((at) => sets[at].name))
      }),
      RUNS,
    )
  })
})

import { types } from 'node:util'
import type { BitFieldOperation, RBitSet } from './bit-set.api.js'
import { demandTurns, FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import { checkedSignal, flag } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import type { Integers } from '../../core/arguments/integers.js'
import { combinedBits } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { FIRST_CURSOR, walk, type Page } from '../../core/pages.js'
import { partsTogether, sendInTurn, sendParts } from '../../core/context/parts.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { chunk } from '../../util/collections/chunk.js'
import { inspectShort } from '../../util/inspect-short.js'
import { ownBytes } from '../../util/own-bytes.js'
import * as commands from './bit-set.commands.js'
import * as scripts from './bit-set.scripts.js'
import {
  bitIndex,
  cellOf,
  demandFits,
  isWide,
  MOST_BITS,
  operationOf,
  scriptWordsOf,
  wordsOf,
  type Cell,
  type CellOperation,
} from './cells.js'

/** How many bytes of a bit set an iteration reads at a time. */
const PAGE_BYTES = 65_536

/** How many bits of a range one request sets at most: 8 MB, for which Redis does nothing else for some ten milliseconds. */
const RANGE_BITS = 2 ** 26

/** How many cells one request is about at most: the words for them are not too many for a script, as they are with `exactlyOnce`. */
const MOST_CELLS = 1_000

const INDEXES = known<{ signal: true }>({ signal: true })

const ONE_INDEX = 'getEach(), setAll() and setRange() are about several bits'
const ONE_LIST = 'the indexes are one list'
const ONE_OFFSET = 'a cell has a size and an offset'
const BY_BIT_FIELD = 'bitField() takes what becomes of an overflow'
const ONE_LIST_OF_NAMES = 'the names are one list'

/** Bits of a string. */
export class RedissonBitSet<N extends number | bigint> extends RedissonExpirable implements RBitSet<N> {
  static {
    refuseSurplus(this, {
      get: ONE_INDEX,
      getEach: ONE_LIST,
      set: ONE_INDEX,
      setAll: ONE_LIST,
      setRange: 'a range has two ends',
      setByteArray: 'expire() sets a time to live',
      indexes: 'a signal is an option',
      not: 'and(), or() and xor() take other bit sets',
      and: ONE_LIST_OF_NAMES,
      or: ONE_LIST_OF_NAMES,
      xor: ONE_LIST_OF_NAMES,
      diff: ONE_LIST_OF_NAMES,
      diffInverse: ONE_LIST_OF_NAMES,
      andOr: ONE_LIST_OF_NAMES,
      setExclusive: ONE_LIST_OF_NAMES,
      getByte: ONE_OFFSET,
      getShort: ONE_OFFSET,
      getInteger: ONE_OFFSET,
      getLong: ONE_OFFSET,
      setByte: BY_BIT_FIELD,
      incrementAndGetByte: BY_BIT_FIELD,
      setShort: BY_BIT_FIELD,
      incrementAndGetShort: BY_BIT_FIELD,
      setInteger: BY_BIT_FIELD,
      incrementAndGetInteger: BY_BIT_FIELD,
      setLong: BY_BIT_FIELD,
      incrementAndGetLong: BY_BIT_FIELD,
      bitField: 'the operations are one list',
      getSigned: ONE_OFFSET,
      setSigned: BY_BIT_FIELD,
      incrementAndGetSigned: BY_BIT_FIELD,
      getUnsigned: ONE_OFFSET,
      setUnsigned: BY_BIT_FIELD,
      incrementAndGetUnsigned: BY_BIT_FIELD,
    })
  }

  readonly #integers: Integers<N>

  constructor(context: ObjectContext, name: string, integers: Integers<N>, options: RunOptions) {
    super(context, name, { run: options })
    this.#integers = integers
  }

  async get(index: number): Promise<boolean> {
    return await this.ask(commands.get, { index: bitIndex('index', index) })
  }

  async getEach(indexes: Iterable<number>): Promise<boolean[]> {
    const found = await this.#inParts('read', indexes, async (part) => {
      const bits = await this.ask(commands.cells, { words: part.flatMap((index) => ['get', 'u1', index]) })
      return bits.map((bit) => bit === 1n)
    })
    return found.flat()
  }

  async set(index: number, value?: boolean): Promise<boolean> {
    const args = { index: bitIndex('index', index) }
    if (flag('value', value, true)) return !(await this.ask(commands.setOne, args))
    return await this.ask(commands.setZero, args)
  }

  async setAll(indexes: Iterable<number>, value?: boolean): Promise<void> {
    const bit = flag('value', value, true) ? 1 : 0
    await this.#inParts('write', indexes, (part) => {
      return this.ask(commands.setBits, { words: part.flatMap((index) => ['set', 'u1', index, bit]) })
    })
  }

  async setRange(fromIndex: number, toIndex: number, value?: boolean): Promise<void> {
    const bit = flag('value', value, true) ? 1 : 0
    const what = `setRange() of more than ${RANGE_BITS} bits`
    await sendInTurn(this.requests, what, rangesOf(fromIndex, toIndex), ([from, to]) =>
      this.ask(scripts.setRange, { from, to, value: bit }),
    )
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async cardinality(): Promise<number> {
    return await this.ask(commands.cardinality)
  }

  async length(): Promise<number> {
    return await this.ask(scripts.length)
  }

  async size(): Promise<number> {
    return 8 * (await this.ask(commands.size))
  }

  async toByteArray(): Promise<Uint8Array> {
    const found = await this.ask(commands.toByteArray)
    return ownBytes(found ?? Buffer.alloc(0))
  }

  async setByteArray(bytes: Uint8Array): Promise<void> {
    if (!types.isUint8Array(bytes))
      throw new TypeError(`Expected \`bytes\` to be a Uint8Array, got ${inspectShort(bytes)}`)
    if (bytes.length > MOST_BITS / 8)
      throw new RangeError(
        `Expected \`bytes\` to have ${String(MOST_BITS / 8)} bytes or less, got ${String(bytes.length)}`,
      )
    await this.ask(commands.setByteArray, { bytes: Buffer.from(bytes) })
  }

  indexes(options?: { readonly signal?: AbortSignal }): AsyncIterable<number> {
    const signal = checkedSignal(optionsOf(options, INDEXES).signal)
    demandTurns(this.requests, 'indexes()')
    return walk(
      (cursor) => this.#page(Number(cursor)),
      (index) => index,
      { onInvalid: 'throw', signal },
    )
  }

  [Symbol.asyncIterator](): AsyncIterator<number> {
    return this.indexes()[Symbol.asyncIterator]()
  }

  async not(): Promise<number> {
    return await this.ask(commands.not, {}, { source: this.key })
  }

  async and(names: Iterable<string>): Promise<number> {
    return await this.#combine(scripts.and, 'and', names)
  }

  async or(names: Iterable<string>): Promise<number> {
    return await this.#combine(scripts.or, 'or', names)
  }

  async xor(names: Iterable<string>): Promise<number> {
    return await this.#combine(scripts.xor, 'xor', names)
  }

  async diff(names: Iterable<string>): Promise<number> {
    return await this.#combineWithUnion(scripts.diff, ['or', 'xor'], names)
  }

  async diffInverse(names: Iterable<string>): Promise<number> {
    return await this.#combineWithUnion(scripts.diffInverse, ['and', 'xor'], names)
  }

  async andOr(names: Iterable<string>): Promise<number> {
    return await this.#combineWithUnion(scripts.andOr, ['and'], names)
  }

  async setExclusive(names: Iterable<string>): Promise<number> {
    const others = {
      union: combinedBits(this.key, 'union'),
      twice: combinedBits(this.key, 'twice'),
      both: combinedBits(this.key, 'both'),
      sources: [this.key, ...this.#others(names)],
    }
    return await this.ask(scripts.setExclusive, {}, others)
  }

  async bitField(operations: Iterable<BitFieldOperation<N>>): Promise<(N | undefined)[]> {
    const all = valuesOf('operations', operations).map((each) => operationOf(each, this.#integers))
    if (all.length > MOST_CELLS)
      throw new RangeError(
        `Expected at most ${String(MOST_CELLS)} operations, which are one step, got ${String(all.length)}`,
      )
    if (all.length === 0) return []
    const found = await this.#operate(all)
    return found.map((number) => (number === undefined ? undefined : this.#integers.of(number)))
  }

  async getSigned(size: number, offset: number): Promise<N> {
    return await this.#get(cellOf('i', size, offset))
  }

  async setSigned(size: number, offset: number, value: N): Promise<N> {
    return await this.#set(cellOf('i', size, offset), value)
  }

  async incrementAndGetSigned(size: number, offset: number, increment: N): Promise<N> {
    return await this.#increment(cellOf('i', size, offset), increment)
  }

  async getUnsigned(size: number, offset: number): Promise<N> {
    return await this.#get(cellOf('u', size, offset))
  }

  async setUnsigned(size: number, offset: number, value: N): Promise<N> {
    return await this.#set(cellOf('u', size, offset), value)
  }

  async incrementAndGetUnsigned(size: number, offset: number, increment: N): Promise<N> {
    return await this.#increment(cellOf('u', size, offset), increment)
  }

  async getByte(offset: number): Promise<N> {
    return await this.getSigned(8, offset)
  }

  async setByte(offset: number, value: N): Promise<N> {
    return await this.setSigned(8, offset, value)
  }

  async incrementAndGetByte(offset: number, increment: N): Promise<N> {
    return await this.incrementAndGetSigned(8, offset, increment)
  }

  async getShort(offset: number): Promise<N> {
    return await this.getSigned(16, offset)
  }

  async setShort(offset: number, value: N): Promise<N> {
    return await this.setSigned(16, offset, value)
  }

  async incrementAndGetShort(offset: number, increment: N): Promise<N> {
    return await this.incrementAndGetSigned(16, offset, increment)
  }

  async getInteger(offset: number): Promise<N> {
    return await this.getSigned(32, offset)
  }

  async setInteger(offset: number, value: N): Promise<N> {
    return await this.setSigned(32, offset, value)
  }

  async incrementAndGetInteger(offset: number, increment: N): Promise<N> {
    return await this.incrementAndGetSigned(32, offset, increment)
  }

  async getLong(offset: number): Promise<N> {
    return await this.getSigned(64, offset)
  }

  async setLong(offset: number, value: N): Promise<N> {
    return await this.setSigned(64, offset, value)
  }

  async incrementAndGetLong(offset: number, increment: N): Promise<N> {
    return await this.incrementAndGetSigned(64, offset, increment)
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get kind(): ObjectKind {
    return 'string'
  }

  #get(cell: Cell): Promise<N> {
    return this.#operateOn({ ...cell, name: 'get', number: 0n, overflow: 'WRAP' })
  }

  #set(cell: Cell, value: N): Promise<N> {
    const number = this.#integers.check('value', value)
    demandFits(cell, number)
    return this.#operateOn({ ...cell, name: 'set', number, overflow: 'WRAP' })
  }

  #increment(cell: Cell, increment: N): Promise<N> {
    const number = this.#integers.check('increment', increment)
    return this.#operateOn({ ...cell, name: 'incrby', number, overflow: 'WRAP' })
  }

  async #operateOn(operation: CellOperation): Promise<N> {
    const [found = 0n] = await this.#operate([operation])
    return this.#integers.of(found)
  }

  async #operate(operations: readonly CellOperation[]): Promise<readonly (bigint | undefined)[]> {
    if (operations.every(({ name }) => name === 'get'))
      return await this.ask(commands.cells, { words: wordsOf(operations) })
    // With `exactlyOnce` a script would run the command, and lose digits of its reply.
    if (operations.some(isWide)) {
      return await this.ask(scripts.changeCells, { operations: scriptWordsOf(operations) })
    }
    return await this.ask(commands.changeCells, { words: wordsOf(operations) })
  }

  /** Sends a request for each part of the indexes, some of them together. Between them the event loop gets a turn, as it waits for the replies. */
  async #inParts<R>(
    how: 'read' | 'write',
    indexes: Iterable<number>,
    send: (part: readonly number[]) => Promise<R>,
  ): Promise<readonly R[]> {
    const parts = partsOf(indexes)
    const together = partsTogether(this.requests, parts)
    return await sendParts(parts, send, { together, changes: how === 'write' ? 'perhaps' : 'never' })
  }

  async #combine(
    script: Script<'target' | 'partial' | '...sources', 'operation', number, 'target'>,
    operation: 'and' | 'or' | 'xor',
    names: Iterable<string>,
  ): Promise<number> {
    const sources = [this.key, ...this.#others(names)]
    return await this.ask(script, { operation }, { partial: combinedBits(this.key, 'partial'), sources })
  }

  async #combineWithUnion(
    script: Script<'target' | 'union' | '...sources', '...operations', number, 'target'>,
    operations: readonly string[],
    names: Iterable<string>,
  ): Promise<number> {
    const sources = this.#others(names)
    return await this.ask(script, { operations }, { union: combinedBits(this.key, 'union'), sources })
  }

  #others(names: Iterable<string>): readonly string[] {
    const others = valuesOf('names', names).map((name) => this.keyInSlot(name))
    if (others.length > 0 && others.length <= MOST_ENTRIES) return others
    const got = others.length === 0 ? 'none' : String(others.length)
    throw new RangeError(`Expected \`names\` to have 1 to ${String(MOST_ENTRIES)} names, got ${got}`)
  }

  /** The indexes in some bytes. */
  async #page(first: number): Promise<Page<number>> {
    const behind = first + PAGE_BYTES
    const found = await this.ask(commands.range, { first, last: behind - 1 })
    return [found.length < PAGE_BYTES ? FIRST_CURSOR : String(behind), indexesIn(found, first * 8)]
  }
}

/** Indexes, in parts of one request each. */
function partsOf(indexes: Iterable<number>): number[][] {
  const all = valuesOf('indexes', indexes).map((index) => bitIndex('index', index))
  return chunk(all, MOST_CELLS)
}

/** A range, in parts of one request each: the last one first, so that Redis gives the string all of its memory at once. */
function rangesOf(fromIndex: number, toIndex: number): [from: number, to: number][] {
  const first = bitIndex('fromIndex', fromIndex, MOST_BITS)
  const behind = bitIndex('toIndex', toIndex, MOST_BITS)
  if (first > behind)
    throw new RangeError(`Expected \`toIndex\` to be ${String(first)} or more, got ${String(behind)}`)
  const ranges: [number, number][] = []
  for (let to = behind; to > first; to -= RANGE_BITS) ranges.push([Math.max(first, to - RANGE_BITS), to])
  return ranges
}

/** The indexes of the bits of some bytes that are 1. */
function indexesIn(bytes: Uint8Array, start: number): number[] {
  const indexes: number[] = []
  for (const [place, byte] of bytes.entries())
    for (let bit = 0; byte > 0 && bit < 8; bit += 1)
      if ((byte & (0x80 >> bit)) !== 0) indexes.push(start + place * 8 + bit)
  return indexes
}

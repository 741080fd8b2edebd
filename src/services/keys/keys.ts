import type { CopyOptions } from '../../api/object.js'
import type { ObjectOptions } from '../../api/object-options.js'
import type { KeysScanOptions, KeyType, RKeys } from './keys.api.js'
import { decodeAt } from '../../codec/encoding.js'
import { stringCodec } from '../../codec/string-codec.js'
import type { PlainCommand } from '../../command/operation/command.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Key } from '../../connection/connection.js'
import { demandName, hasSlots, mappedName, wholeNumber } from '../../core/arguments/arguments.js'
import { askBySlot } from '../../core/context/by-slot.js'
import { hasMappedName, mappedPattern } from '../../core/arguments/mapped-pattern.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { objectSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { itemsOf } from '../../core/pages.js'
import { sendParts, type Changes } from '../../core/context/parts.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { isBetweenNodes } from '../../errors/transient.js'
import { showOnly } from '../../util/show-only.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { SingleKey } from './single-key.js'
import { isOfObject, keyPages, keyScan, type KeyScan } from './key-walk.js'
import * as commands from './keys.commands.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** A request about several keys of one slot, and how many of them it has found. */
type KeysCommand = PlainCommand<'...keys', never, number>

const NAME = stringCodec()

const ONE_NAME = 'it is about one name'

const EVERYTHING = 'everything goes; deleteByPattern() removes what matches'
const PATTERN_ALONE = 'a pattern is one text'

/** How often a key is drawn at one master, where all that were drawn belong to other programs. */
const DRAWS = 10

/** The keys of all masters. */
export class RedissonKeys implements RKeys {
  static {
    showOnly(this, 'RKeys', () => ({}))
    refuseSurplus(this, {
      flushdb: EVERYTHING,
      flushdbParallel: EVERYTHING,
      flushall: EVERYTHING,
      flushallParallel: EVERYTHING,
      count: 'countExists() counts those that are named',
      countExists: ANY_NUMBER,
      randomKey: 'it draws from all keys',
      getType: ONE_NAME,
      getSlot: ONE_NAME,
      delete: ANY_NUMBER,
      unlink: ANY_NUMBER,
      deleteByPattern: PATTERN_ALONE,
      unlinkByPattern: PATTERN_ALONE,
      touch: ANY_NUMBER,
      clearExpire: ONE_NAME,
    })
  }

  readonly #context: ObjectContext
  readonly #options: RunOptions

  constructor(context: ObjectContext, options: ObjectOptions = {}) {
    this.#context = context
    this.#options = objectSettings(options)
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.getKeys()[Symbol.asyncIterator]()
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  getKeys(options?: KeysScanOptions): AsyncIterable<string> {
    const settings = this.#mapped(keyScan(options))
    return { [Symbol.asyncIterator]: () => this.#names(settings) }
  }

  async count(): Promise<number> {
    return sumOf(await this.#context.masters.sendToAll(commands.size, { keys: {}, args: {} }))
  }

  async countExists(...names: string[]): Promise<number> {
    return await this.#askAbout(commands.countExists, this.#keysOf(names))
  }

  async randomKey(): Promise<string | undefined> {
    const { masters } = this.#context
    let areForeign = false
    for await (const key of masters.walk((master) => this.#draw(master))) {
      if (isOfObject(key) && hasMappedName(this.#context, key)) return this.#nameOf(key)
      areForeign = true
    }
    if (areForeign) for await (const name of this.getKeys({ limit: 1 })) return name
    return undefined
  }

  async getType(name: string): Promise<KeyType | undefined> {
    const call = { keys: { key: mappedName(this.#context, name) }, args: {} }
    const type = await this.#context.executor.run(commands.type, call, FROM_ANY_NODE)
    return type === 'none' ? undefined : type
  }

  async getSlot(name: string): Promise<number> {
    return await Promise.resolve(this.#context.topology.slotOf(mappedName(this.#context, name)))
  }

  async delete(...names: string[]): Promise<number> {
    return await this.#askAbout(commands.remove, this.#keysOf(names))
  }

  async unlink(...names: string[]): Promise<number> {
    return await this.#askAbout(commands.unlink, this.#keysOf(names))
  }

  async deleteByPattern(pattern: string): Promise<number> {
    return await this.#removeAll(commands.remove, pattern)
  }

  async unlinkByPattern(pattern: string): Promise<number> {
    return await this.#removeAll(commands.unlink, pattern)
  }

  async touch(...names: string[]): Promise<number> {
    return await this.#askAbout(commands.touch, this.#keysOf(names))
  }

  async rename(name: string, newName: string): Promise<void> {
    await this.#key(name).rename(newName)
  }

  async renamenx(name: string, newName: string): Promise<boolean> {
    return await this.#key(name).renamenx(newName)
  }

  async copy(name: string, to: string, options?: CopyOptions): Promise<boolean> {
    return await this.#key(name).copy(to, options)
  }

  async move(name: string, database: number): Promise<boolean> {
    return await this.#key(name).move(database)
  }

  async expire(name: string, time: number | Date): Promise<boolean> {
    return await this.#key(name).expire(time)
  }

  async clearExpire(name: string): Promise<boolean> {
    return await this.#key(name).clearExpire()
  }

  async remainTimeToLive(name: string): Promise<number> {
    return await this.#key(name).remainTimeToLive()
  }

  async flushdb(): Promise<void> {
    await this.#flush(commands.flushdb)
  }

  async flushdbParallel(): Promise<void> {
    await this.#flush(commands.flushdbParallel)
  }

  async flushall(): Promise<void> {
    await this.#flush(commands.flushall)
  }

  async flushallParallel(): Promise<void> {
    await this.#flush(commands.flushallParallel)
  }

  async swapdb(first: number, second: number): Promise<void> {
    const args = { first: wholeNumber('first', first, 0), second: wholeNumber('second', second, 0) }
    if (hasSlots(this.#context.topology))
      throw new RangeError('Expected no cluster: it has only one database')
    await this.#context.executor.run(commands.swapdb, { keys: {}, args })
  }

  /** Some keys of a master, and none if it has none. */
  async *#draw(master: string): AsyncGenerator<Buffer, void, undefined> {
    const { masters } = this.#context
    for (let left = DRAWS; left > 0; left -= 1) {
      const key = await masters.send(master, commands.randomKey, { keys: {}, args: {} })
      if (key === undefined) return
      yield key
    }
  }

  #key(name: string): SingleKey {
    return new SingleKey(this.#context, name)
  }

  #keysOf(names: readonly string[]): readonly string[] {
    return names.map((name) => mappedName(this.#context, name))
  }

  #mapped(settings: KeyScan): KeyScan {
    return { ...settings, pattern: mappedPattern(this.#context, settings.pattern) }
  }

  async *#names(settings: KeyScan): AsyncGenerator<string, void, undefined> {
    let left = settings.limit
    const pages = keyPages(this.#context.masters, settings)
    for await (const name of itemsOf(pages, (key) => this.#nameOf(key), settings)) {
      yield name
      left -= 1
      if (left === 0) return
    }
  }

  #nameOf(key: Buffer): string {
    return this.#context.config.unmapName(decodeAt(NAME, key, { object: key.toString() }))
  }

  async #flush(command: PlainCommand<never, never, 'OK'>): Promise<void> {
    await this.#context.masters.sendToAll(command, { keys: {}, args: {} })
  }

  async #removeAll(command: KeysCommand, pattern: string): Promise<number> {
    demandName('`pattern` to be', pattern)
    let removed = 0
    try {
      for await (const page of keyPages(this.#context.masters, this.#mapped(keyScan({ pattern }))))
        removed += await this.#askAbout(command, page)
      return removed
    } catch (error) {
      throw removed > 0 ? afterEffect(error) : error
    }
  }

  /** Asks for those of each slot by themselves, at the same time. Returns the sum. */
  async #askAbout(command: KeysCommand, keys: readonly Key[]): Promise<number> {
    const { topology } = this.#context
    const division = { topology, keyOf: (key: Key) => key, most: MOST_ENTRIES, changes: changes(command) }
    return sumOf(await askBySlot(keys, division, (part) => this.#askInSlot(command, part)))
  }

  /** While their slot moves, keys may be at two nodes: each is asked for by itself then, unless they may have been removed already. */
  async #askInSlot(command: KeysCommand, keys: readonly Key[]): Promise<number> {
    const divisible = keys.length > 1
    try {
      return await this.#context.executor.run(
        command,
        { keys: { keys }, args: {} },
        { ...this.#options, ...FROM_ANY_NODE, divisible }, // a command that writes goes to the master nevertheless
      )
    } catch (error) {
      if (!divisible || !isBetweenNodes(error)) throw error
      if (command.repeat === 'counting' && error.mayHaveRun) throw error
      const sending = { together: keys.length, changes: changes(command) }
      return sumOf(await sendParts(keys, (key) => this.#askInSlot(command, [key]), sending))
    }
  }
}

function changes({ repeat }: KeysCommand): Changes {
  return repeat === 'safe' ? 'never' : 'perhaps'
}

import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { sendInTurn } from '../../core/context/parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { identityOf } from '../shared/identity-of.js'
import * as commands from './map-cache-native.commands.js'
import * as scripts from './map-cache-native.scripts.js'
import { withEndsOfFields } from './unsupported.js'

/** An entry to set. */
export interface EndingEntry {
  readonly field: Argument
  readonly value: Argument
  readonly ttlMs: number
  /** What has to be there: nothing, anything, or the expected value; empty if that does not matter. */
  readonly condition?: 'absent' | 'present' | 'equal' | ''
  readonly expected?: Argument
}

/** What of an end that is there has to be so: it is none, or earlier than the new one, or later or none; empty if that does not matter. */
export type EndCondition = 'NX' | 'GT' | 'LT' | ''

/** Reply of Redis for a field whose end was set or removed. */
const DONE = 1

/** Sends the requests about entries that expire by the server itself. */
export class EndsOfFields {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  /** Returns the value before. */
  put(entry: EndingEntry): Promise<Buffer | undefined> {
    return withEndsOfFields(this.#requests.ask(scripts.put, argsOf(entry, 0)))
  }

  /** Returns whether it was set; without a condition, whether it is new. */
  putIf(entry: EndingEntry, options?: RunOptions): Promise<boolean> {
    return withEndsOfFields(this.#requests.ask(scripts.putIf, argsOf(entry, 1), {}, options))
  }

  /** The same where a copy of it does no harm. */
  fastPut(entry: EndingEntry): Promise<boolean> {
    return withEndsOfFields(this.#requests.ask(scripts.fastPut, argsOf(entry, 1)))
  }

  /** Sets a value that lasts for as long as it is not removed. Returns whether the field is new. */
  set(field: Argument, value: Argument): Promise<boolean> {
    return this.#requests.ask(scripts.set, { field, value })
  }

  /** Returns how many of them had values. */
  async remove(fields: readonly Argument[]): Promise<number> {
    const remove = (part: readonly Argument[]) => this.#requests.ask(scripts.remove, { fields: part })
    return sumOf(await this.#inParts('fastRemove()', fields, remove))
  }

  async putAll(
    entries: readonly (readonly [field: Argument, value: Argument])[],
    ttlMs: number,
  ): Promise<void> {
    await this.#inParts('putAll()', entries, (part) =>
      this.#requests.ask(scripts.putAll, { ttlMs, entries: part.flat() }),
    )
  }

  /** Returns whether they were set. */
  putIfAll(
    exist: 0 | 1,
    entries: readonly (readonly [field: Argument, value: Argument])[],
    ttlMs = 0,
  ): Promise<boolean> {
    const script = exist === 1 ? scripts.putIfAllExist : scripts.putIfAllAbsent
    return withEndsOfFields(this.#requests.ask(script, { exist, ttlMs, entries: entries.flat() }))
  }

  /** Returns for how many of them the end was set. */
  async expire(fields: readonly Argument[], ttlMs: number, condition: EndCondition): Promise<number> {
    const expire = (part: readonly Argument[]) => this.#expire(part, ttlMs, condition)
    return sumOf(await this.#inParts('setting the end', fields, expire))
  }

  /** Returns for each of them whether it had an end. Each is asked about once, since the second time it has none any more. */
  async clear(fields: readonly Argument[]): Promise<readonly boolean[]> {
    const distinct = new Map(fields.map((field) => [identityOf(field), field]))
    const clear = async (part: readonly Argument[]) =>
      done(await this.#requests.ask(commands.persist, { fields: part }))
    const cleared = (await this.#inParts('removing the end', [...distinct.values()], clear)).flat()
    const had = new Map([...distinct.keys()].map((field, place) => [field, cleared[place] === true]))
    return fields.map((field) => had.get(identityOf(field)) === true)
  }

  async timesLeft(fields: readonly Argument[]): Promise<readonly number[]> {
    const look = (part: readonly Argument[]) =>
      withEndsOfFields(this.#requests.ask(commands.timesLeft, { fields: part }))
    return (await Promise.all(chunk(fields, MOST_ENTRIES).map(look))).flat()
  }

  /** An end that has passed is neither none nor later than another, so that only the other conditions need a script. */
  async #expire(fields: readonly Argument[], ttlMs: number, condition: EndCondition): Promise<number> {
    if (condition === '' || condition === 'GT')
      return await this.#requests.ask(scripts.expire, { ttlMs, condition, fields })
    const outcomes = await this.#requests.ask(commands.expireIf, { ttlMs, condition, fields })
    return done(outcomes).filter(Boolean).length
  }

  async #inParts<T, R>(
    what: string,
    all: readonly T[],
    send: (part: readonly T[]) => Promise<R>,
  ): Promise<readonly R[]> {
    const ofMany = `${what} of more than ${String(MOST_ENTRIES)} entries`
    const parts = chunk(all, MOST_ENTRIES)
    return await sendInTurn(this.#requests, ofMany, parts, (part) => withEndsOfFields(send(part)))
  }
}

function argsOf({ field, value, ttlMs, condition = '', expected = '' }: EndingEntry, silent: 0 | 1) {
  return { condition, expected, ttlMs, silent, field, value }
}

function done(replies: readonly number[]): readonly boolean[] {
  return replies.map((reply) => reply === DONE)
}

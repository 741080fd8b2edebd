import { randomBytes } from 'node:crypto'
import type { CommandExecutor } from '../../../command/operation/command-executor.js'
import type { Argument } from '../../../connection/connection.js'
import { writeBehindKeys } from '../../../core/context/names.js'
import * as scripts from './behind.scripts.js'

const EXACTLY_ONCE = { exactlyOnce: true }

const TOKEN_BYTES = 16

/** What could not be written is tried again after this number of milliseconds, or after the delay of the map if that is longer. */
const PAUSE_MS = 1_000

/** What is first in the state of a field that has a value. The rest is the value. */
const HAS_VALUE = '1'.charCodeAt(0)

/** One entry that is to be written: its field, and its state as it is noted. */
export type Claimed = readonly [field: Buffer, state: Buffer]

/** Entries that one request has claimed. */
export interface Batch {
  /** Tells this claim from those of other clients, and from an earlier one of the same client. */
  readonly token: Buffer
  readonly entries: readonly Claimed[]
}

export function isValue([, state]: Claimed): boolean {
  return state[0] === HAS_VALUE
}

/** The entry of a field that has a value. */
export function entryOf([field, state]: Claimed): readonly [field: Buffer, value: Buffer] {
  return [field, state.subarray(1)]
}

/**
 * What is to be written behind of one map, as it is in Redis: changes of the map note it in the same step, and claims keep other clients
 * from writing the same.
 */
export class PendingWrites {
  /** The key of the map. */
  readonly map: string
  readonly #executor: CommandExecutor
  readonly #keys: ReturnType<typeof writeBehindKeys>
  readonly #delayMs: number

  /**
   * @param map - the key of the map
   * @param delayMs - how long a change waits for others
   */
  constructor(executor: CommandExecutor, map: string, delayMs: number) {
    this.#executor = executor
    this.map = map
    this.#keys = writeBehindKeys(map)
    this.#delayMs = delayMs
  }

  /** How long what could not be written waits, in milliseconds. Nothing waits for longer. */
  get pauseMs(): number {
    return Math.max(PAUSE_MS, this.#delayMs)
  }

  /** Sets or removes a value if it is the one that is expected, each of which may be none. Returns whether it was. */
  async change(field: Argument, expected?: Buffer, value?: Argument): Promise<boolean> {
    const args = {
      field,
      expects: expected === undefined ? 0 : 1,
      expected: expected ?? '',
      sets: value === undefined ? 0 : 1,
      value: value ?? '',
      delay: this.#delayMs,
    }
    return await this.#executor.run(scripts.change, { keys: this.#all, args }, EXACTLY_ONCE)
  }

  /** Sets values, of which field and value alternate. */
  async putAll(entries: readonly Argument[]): Promise<void> {
    const args = { delay: this.#delayMs, entries }
    await this.#executor.run(scripts.putAll, { keys: this.#all, args }, EXACTLY_ONCE)
  }

  /**
   * Removes fields. Returns how many had a value.
   *
   * @param any - whether also those are to be deleted that had none
   */
  async removeAll(fields: readonly Argument[], any: boolean): Promise<number> {
    const args = { delay: this.#delayMs, any: any ? 1 : 0, fields }
    return await this.#executor.run(scripts.removeAll, { keys: this.#all, args }, EXACTLY_ONCE)
  }

  /** What is to be written of a field: its value, none if it is to be deleted; undefined if there is nothing to be written. */
  async of(field: Argument): Promise<{ readonly value: Buffer | undefined } | undefined> {
    const state = await this.#executor.run(scripts.state, { keys: this.#keys, args: { field } })
    return state && { value: state[0] === HAS_VALUE ? state.subarray(1) : undefined }
  }

  /**
   * Claims fields.
   *
   * @param count - how many at most
   * @param any - whether also those that are not due yet
   * @returns how many fields are left, claimed or not, and the claimed ones
   */
  async claim(
    count: number,
    leaseMs: number,
    any: boolean,
  ): Promise<readonly [left: number, claimed: Batch]> {
    const token = randomBytes(TOKEN_BYTES)
    const args = { count, lease: leaseMs, all: any ? 1 : 0, token, wait: this.pauseMs }
    const call = { keys: this.#keys, args }
    const [left, entries] = await this.#executor.run(scripts.take, call, EXACTLY_ONCE)
    return [left, { token, entries }]
  }

  /** Extends claims to that number of milliseconds from now. Returns whether all of them still existed. */
  async extend({ token, entries }: Batch, leaseMs: number): Promise<boolean> {
    const call = { keys: this.#keys, args: { token, lease: leaseMs, fields: fieldsOf(entries) } }
    return (await this.#executor.run(scripts.extend, call, EXACTLY_ONCE)) === entries.length
  }

  /** Ends the claims of what was written, where they have not ended before. */
  async settle({ token, entries }: Batch): Promise<void> {
    const call = { keys: this.#keys, args: { token, entries: entries.flat() } }
    await this.#executor.run(scripts.settle, call, EXACTLY_ONCE)
  }

  /** Ends the claims of what could not be written, where they have not ended before, and has it wait. */
  async postpone({ token, entries }: Batch, pauseMs: number): Promise<void> {
    const call = { keys: this.#keys, args: { token, pause: pauseMs, fields: fieldsOf(entries) } }
    await this.#executor.run(scripts.postpone, call, EXACTLY_ONCE)
  }

  get #all() {
    return { map: this.map, ...this.#keys }
  }
}

function fieldsOf(entries: readonly Claimed[]): readonly Buffer[] {
  return entries.map(([field]) => field)
}

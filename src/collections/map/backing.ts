import pRetry from 'p-retry'
import type { ComputeContext, MapLoader, MapOptions, MapWriter } from './map.api.js'
import { demandFunction, milliseconds, wholeNumber } from '../../core/arguments/arguments.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { LockLostError } from '../../errors/lock-errors.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'

const MODES: readonly unknown[] = ['WRITE_THROUGH', 'WRITE_BEHIND']
const DELAY_MS = 1000
const BATCH_SIZE = 50
const RETRY_INTERVAL_MS = 100

/** What stands behind a map. */
export interface Backing<K, V> {
  readonly loader: MapLoader<K, V> | undefined
  readonly writer: RetryingWriter<K, V> | undefined
  /** Undefined where the writer is called before the map is changed. */
  readonly behind: BehindSettings | undefined
}

/** When the writer is called afterwards. */
export interface BehindSettings {
  readonly delayMs: number
  readonly batchSize: number
}

/**
 * Reads the options of what stands behind a map; undefined where there is nothing.
 *
 * @throws TypeError, or RangeError, for an option that is wrong
 */
export function backingOf<K, V>(options: MapOptions<K, V>): Backing<K, V> | undefined {
  const { loader, writer, writeMode = 'WRITE_THROUGH' } = options
  if (!MODES.includes(writeMode))
    throw new TypeError(
      `Expected \`writeMode\` to be 'WRITE_THROUGH' or 'WRITE_BEHIND', got ${inspectWord(writeMode)}`,
    )
  const behind = behindOf(options)
  const retries = retriesOf(options)
  demandMethods('loader', loader, ['load'])
  demandMethods('writer', writer, ['write', 'delete'])
  if (loader === undefined && writer === undefined) return undefined
  return {
    loader,
    writer: writer && new RetryingWriter(writer, retries),
    behind: writer !== undefined && writeMode === 'WRITE_BEHIND' ? behind : undefined,
  }
}

function behindOf<K, V>(options: MapOptions<K, V>): BehindSettings {
  const { writeBehindDelayMs = DELAY_MS, writeBehindBatchSize = BATCH_SIZE } = options
  return {
    delayMs: pauseOf('writeBehindDelayMs', writeBehindDelayMs),
    batchSize: atMost('writeBehindBatchSize', writeBehindBatchSize, MOST_ENTRIES),
  }
}

function retriesOf<K, V>(options: MapOptions<K, V>): Retries {
  const { writerRetryAttempts = 0, writerRetryIntervalMs = RETRY_INTERVAL_MS } = options
  return {
    attempts: wholeNumber('writerRetryAttempts', writerRetryAttempts, 0),
    intervalMs: pauseOf('writerRetryIntervalMs', writerRetryIntervalMs),
  }
}

/** A number of milliseconds that a timer can wait. */
function pauseOf(name: string, value: number): number {
  const ms = milliseconds(name, value)
  if (ms >= 0 && ms < 2 ** 31) return Math.ceil(ms)
  throw new RangeError(`Expected \`${name}\` to be 0 or more milliseconds, and less than 2³¹, got ${ms}`)
}

/** A number that counts at least one. */
export function atMost(name: string, value: number, most: number): number {
  if (wholeNumber(name, value, 1) <= most) return value
  throw new RangeError(`Expected \`${name}\` to be ${String(most)} or less, got ${String(value)}`)
}

function demandMethods(name: string, given: object | undefined, methods: readonly string[]): void {
  if (given === undefined) return
  if (typeof given !== 'object' || (given as unknown) === null)
    throw new TypeError(`Expected \`${name}\` to be an object, got ${inspectShort(given)}`)
  for (const method of methods) demandFunction(Reflect.get(given, method), `${name}.${method}`)
}

interface Retries {
  readonly attempts: number
  readonly intervalMs: number
}

/** A writer of the program, which is called again if it fails, each time with lists that it may change. */
export class RetryingWriter<K, V> {
  readonly #writer: MapWriter<K, V>
  readonly #retries: Retries

  constructor(writer: MapWriter<K, V>, retries: Retries) {
    this.#writer = writer
    this.#retries = retries
  }

  /** Whether the program wants to hear of what cannot be written behind. */
  get isShared(): boolean {
    return this.#writer.failed !== undefined
  }

  async write(entries: ReadonlyMap<K, V>, context: ComputeContext): Promise<void> {
    if (entries.size > 0) await this.#retried(() => this.#writer.write(new Map(entries), context), context)
  }

  async delete(keys: readonly K[], context: ComputeContext): Promise<void> {
    if (keys.length > 0) await this.#retried(() => this.#writer.delete([...keys], context), context)
  }

  failed(error: unknown, keys: readonly K[]): void {
    this.#writer.failed?.(error, keys)
  }

  async #retried(call: () => unknown, { signal }: ComputeContext): Promise<void> {
    const { attempts, intervalMs } = this.#retries
    signal.throwIfAborted()
    const outcome = { isWritten: false }
    const write = async () => {
      await throwingErrors(call)
      outcome.isWritten = true
    }
    try {
      await pRetry(write, { retries: attempts, minTimeout: intervalMs, factor: 1, signal })
    } catch (error) {
      if (outcome.isWritten) return // whatever the signal says by now
      if (error instanceof LockLostError) throw afterEffect(error) // the change may be where it belongs nevertheless
      throw error instanceof ThrownValue ? error.value : error
    }
  }
}

/** What a writer has thrown that is no error. `pRetry` knows only errors. */
class ThrownValue extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super()
    this.value = value
  }
}

async function throwingErrors(call: () => unknown): Promise<void> {
  try {
    await call()
  } catch (error) {
    throw error instanceof Error ? error : new ThrownValue(error)
  }
}

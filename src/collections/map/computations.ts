import type { ComputeContext, ComputeOptions } from './map.api.js'
import type { RLock } from '../../locks/shared/lock.api.js'
import type { Argument } from '../../connection/connection.js'
import { EntryContendedError, NestedComputeError } from './map.errors.js'
import { FlowContext, type FlowValue } from '../../ownership/flow-context.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { untilEnded } from '../../core/holds/ended-calls.js'

/** How often a value is computed anew because others have changed it meanwhile. */
const MOST_ATTEMPTS = 100

/** The entry whose value is computed. */
export interface ComputedEntry<V> {
  /** The name of the map. */
  readonly object: string
  readonly lock: RLock
  /** Ends the calls of the map, if there is one. */
  readonly ending: AbortSignal | undefined
  read(context: ComputeContext): Promise<Buffer | undefined>
  /** Sets or removes the value if it is still the one that was read. Returns whether it was. */
  write(before: Buffer | undefined, after: Computed<V>, context: ComputeContext): Promise<boolean>
  /** Whether reading it may have changed the map: a loaded value is put into it. */
  readonly mayBeLoaded?: () => boolean
  /** What a call rejects with that has failed in this way. */
  failure?(error: unknown): unknown
}

/** What a function has made of a value: what the call returns, and the bytes to write, if any. */
export interface Computed<V> {
  readonly value: V | undefined
  /** Undefined for an entry that is to be removed. */
  readonly bytes: Argument | undefined
  /** Whether the entry stays as it is, whatever the bytes. */
  readonly isKept?: boolean
}

/** Makes something of the value that is there. */
export type Compute<V> = (before: Buffer | undefined, context: ComputeContext) => Promise<Computed<V>>

/** An entry that is computed by this flow, inside the computation of another one, if any. */
class RunningComputation implements FlowValue {
  readonly #lock: string
  #outer: RunningComputation | undefined
  #ended = false

  constructor(lock: string, outer: RunningComputation | undefined) {
    this.#lock = lock
    this.#outer = outer
  }

  get isOver(): boolean {
    return this.#ended && this.#around === undefined
  }

  includes(lock: string): boolean {
    return (this.#lock === lock && !this.#ended) || this.#around?.includes(lock) === true
  }

  end(): void {
    this.#ended = true
  }

  /** The next one around it that has not ended. A function may begin the next computation before it ends, and that one the next. */
  get #around(): RunningComputation | undefined {
    while (this.#outer !== undefined && this.#outer.#ended) this.#outer = this.#outer.#outer
    return this.#outer
  }
}

/**
 * Computes values of entries under their locks, so that functions of one entry run one at a time, in Node and in Java.
 *
 * The value is written only if it is still the one that the function was given: programs that write without the lock are not overwritten, and
 * neither is who has acquired the lock after it was lost here.
 */
export class Computations {
  readonly #running = new FlowContext<RunningComputation>()

  /** Whether this flow computes an entry. */
  isRunning(lock: string): boolean {
    return this.#running.value?.includes(lock) === true
  }

  /** @throws {@link NestedComputeError} if this flow computes the entry of a lock, so that nothing else may change it */
  demandOther(object: string, { name }: RLock): void {
    if (this.isRunning(name)) throw new NestedComputeError(object)
  }

  /** @throws {@link NestedComputeError} if this flow computes the same entry already */
  async run<V>(
    entry: ComputedEntry<V>,
    compute: Compute<V>,
    options: ComputeOptions,
  ): Promise<V | undefined> {
    this.demandOther(entry.object, entry.lock)
    const running = new RunningComputation(entry.lock.name, this.#running.value)
    let done: { readonly value: V | undefined } | undefined
    let isWriting = false
    const noted: ComputedEntry<V> = {
      ...entry,
      write: (...change) => {
        isWriting = true
        return entry.write(...change)
      },
    }
    const caller = eitherSignal(options.signal, entry.ending)
    const underLock = async ({ signal: held }: ComputeContext): Promise<void> => {
      const signal = eitherSignal(held, caller)
      done = { value: await computeUntilWritten(noted, compute, signal, caller) }
    }
    const computed = this.#running
      .run(running, () => entry.lock.withLock(underLock, caller ? { ...options, signal: caller } : options))
      .finally(() => {
        running.end()
      })
    try {
      await untilEnded(computed, {
        signal: entry.ending,
        request: `a computation of ${entry.object}`,
        mayHaveRun: () => isWriting || entry.mayBeLoaded?.() === true,
      })
    } catch (error) {
      if (done === undefined) throw entry.failure?.(error) ?? error
    }
    return done?.value // it is written, whatever has become of the lock
  }
}

/** Computes and writes the value until it was not changed in between. */
async function computeUntilWritten<V>(
  entry: ComputedEntry<V>,
  compute: Compute<V>,
  signal: AbortSignal,
  caller: AbortSignal | undefined,
): Promise<V | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    caller?.throwIfAborted()
    const before = await entry.read({ signal })
    // A copy: a codec of bytes hands out what it is given, and the function may write into that.
    const after = await compute(before && Buffer.from(before), { signal })
    if (after.isKept === true || (await entry.write(before, after, { signal }))) return after.value
  }
  throw new EntryContendedError(entry.object, MOST_ATTEMPTS)
}

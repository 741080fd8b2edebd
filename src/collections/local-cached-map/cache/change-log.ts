import { randomBytes } from 'node:crypto'
import type { CommandExecutor } from '../../../command/operation/command-executor.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import { ID_BYTES } from './cache-messages.js'
import { missed } from '../local-cached-map.scripts.js'

/** For how long records are kept, less a minute in which a connection may be dead without anyone's knowledge. */
const LONGEST_GAP_MS = 600_000

/** How many records are read at most. */
const MOST_RECORDS = 50_000

const CHANCE_BYTES = 8

/** What is dropped by what the log says. */
export interface Droppable {
  drop(hash: string): void
  dropAll(): void
}

/**
 * The log of a map, which says what has changed while messages were missed.
 *
 * What is kept stays only if the log is the same as before, at the same server, and its records go back to the last moment at which
 * no message was missed. Otherwise the log may have lost what it said, and all is dropped.
 */
export class ChangeLog {
  readonly #executor: CommandExecutor
  readonly #keys: { readonly map: string; readonly log: string }
  /** What server and log are known by; undefined if nothing is known. */
  #known: string | undefined
  #stoodAt = -Infinity
  #read: Promise<void> | undefined

  constructor(executor: CommandExecutor, keys: { readonly map: string; readonly log: string }) {
    this.#executor = executor
    this.#keys = keys
  }

  /** Whether it is being read, so that nothing may be served. */
  get isReading(): boolean {
    return this.#read !== undefined
  }

  /** Resolves when it is read; undefined if it is not being read. */
  get read(): Promise<void> | undefined {
    return this.#read
  }

  /** Every message arrives. While the log is read this says nothing: what was missed before is not known yet. */
  noteStanding(): void {
    if (!this.isReading) this.#stoodAt = performance.now()
  }

  /** The channel was confirmed for the first time. */
  begin(): void {
    this.#ask(({ known }) => {
      this.#known = known
    })
  }

  /** The channel was confirmed again. */
  catchUp(cache: Droppable): void {
    const isTooLate = performance.now() - this.#stoodAt > LONGEST_GAP_MS
    this.#ask(({ known, records }) => {
      if (isTooLate || known === undefined || known !== this.#known) cache.dropAll()
      else for (const record of records) cache.drop(record.toString('latin1', 0, ID_BYTES))
      this.#known = known
    })
  }

  /** Reads it, unless a later reading begins meanwhile, which has more. */
  #ask(use: (log: { readonly known?: string; readonly records: readonly Buffer[] }) => void): void {
    const call = {
      keys: this.#keys,
      args: { isBegun: 1, chance: randomBytes(CHANCE_BYTES), most: MOST_RECORDS },
    }
    const asked = withoutAsyncContext(() => this.#executor.run(missed, call))
    const read: Promise<void> = asked
      .catch(() => undefined)
      .then((reply) => {
        if (this.#read !== read) return
        use(reply === undefined ? { records: [] } : { known: reply[0].toString('latin1'), records: reply[1] })
        this.#read = undefined
      })
    this.#read = read
  }
}

/** What makes the mark of a log another one; nothing if there is no log. */
export function chanceOfMark(isLogged: boolean): Buffer {
  return isLogged ? randomBytes(CHANCE_BYTES) : Buffer.alloc(0)
}

/** What a change adds to the log for some keys. */
export function recordsOf(hashes: readonly Buffer[]): Buffer {
  return Buffer.concat(hashes.flatMap((hash) => [hash, Buffer.from(':'), randomBytes(CHANCE_BYTES)]))
}

import { setTimeout as sleep } from 'node:timers/promises'
import type * as Library from '../../../src/index.js'
import type { RedissonClient } from '../../../src/index.js'
import { Recorder } from '../../client/recorder.js'
import type { Stopwatch } from '../../clock.js'
import type { EntryLog } from '../../journal.js'
import type { Restart } from '../program.js'
import type { OpenClaim } from './claims.js'
import type { Clients } from './entrances.js'
import type { RawView } from './raw.js'
import { Scope } from './scope.js'
import type { ProcessSettings } from './settings.js'
import { sureUntil } from './sure.js'
import { wordFor } from './word-for.js'

/** The numbers of owners that have no name begin here. */
const FIRST_OWNER = 1_000

/** Longer than a lease lasts in Redis after it is over for its client, in milliseconds. */
const LEASE_TAIL_MS = 1_000

const LOOK_EVERY_MS = 20

/** What all seats of a process have in common. */
export interface SeatFacts {
  readonly library: typeof Library
  readonly settings: ProcessSettings
  readonly journal: EntryLog
  readonly clock: Stopwatch
  readonly raw: RawView
  /** The claims of all flows whose holders are inside. */
  readonly claims: Set<OpenClaim>
}

/** A client with those that it has at other servers, and all that its flows share. */
export class Seat implements Clients {
  readonly client: RedissonClient
  readonly others: readonly RedissonClient[]
  readonly recorder: Recorder
  readonly losses: ReadonlyMap<string, number>
  readonly named = new Map<number, Scope>()
  readonly #facts: SeatFacts
  #owners = FIRST_OWNER
  #keptUntil = Infinity

  private constructor(
    facts: SeatFacts,
    name: string,
    [client, ...others]: readonly [RedissonClient, ...RedissonClient[]],
  ) {
    const { settings, journal, clock } = facts
    this.client = client
    this.others = others
    this.recorder = new Recorder(journal, clock, name)
    this.losses = lossesOf(client, this.recorder, settings.forced)
    this.#facts = facts
  }

  static async open(facts: SeatFacts, name: string): Promise<Seat> {
    const { library, settings } = facts
    const client = await library.Redisson.create(settings.connection)
    const others: RedissonClient[] = []
    try {
      for (const { connection } of settings.others) others.push(await library.Redisson.create(connection))
    } catch (error) {
      await Promise.all([client, ...others].map((each) => each.shutdown()))
      throw error
    }
    return new Seat(facts, name, [client, ...others])
  }

  /** A number that no other owner of this client has in the history. */
  readonly newOwner = (): number => (this.#owners += 1)

  /** Until when the client ends no hold by itself. */
  readonly keptUntil = (): number => this.#keptUntil

  /** Shuts the client down as a program says, and looks at what is left of it. */
  async closeBy(how: Restart): Promise<void> {
    const { settings, raw } = this.#facts
    this.#keptUntil = sureUntil(this.recorder.now(), how.drainMs)
    this.recorder.closing('begin', how)
    await this.#shutdown({ drainMs: how.drainMs, release: how.release })
    this.recorder.closing('end', how)
    if (settings.faulty || !how.release) return
    for (const key of await this.#remains(raw)) this.recorder.trouble(`is shut down, and has left ${key}`)
  }

  async close(): Promise<void> {
    await this.#shutdown({})
  }

  /** What stays: a lease that has ended by the clock of its client lasts longer in Redis where a renewal had no reply in time, and is not given back. */
  async #remains(raw: RawView): Promise<readonly string[]> {
    const ids = [this.client, ...this.others].map(({ id }) => id)
    const endsAt = performance.now() + LEASE_TAIL_MS
    for (;;) {
      const remains = await raw.remainsOf(ids)
      if (remains.length === 0 || performance.now() >= endsAt) return remains
      await sleep(LOOK_EVERY_MS)
    }
  }

  async #shutdown(options: Partial<Pick<Restart, 'drainMs' | 'release'>>): Promise<void> {
    await Promise.all([this.client, ...this.others].map((client) => client.shutdown(options)))
  }
}

/** Counts the losses of each lock. No lease is over in Redis before it is over here, unless a lock is forced open. */
function lossesOf(
  client: RedissonClient,
  recorder: Recorder,
  forced: readonly string[],
): ReadonlyMap<string, number> {
  const losses = new Map<string, number>()
  client.on('lockLost', ({ lock, reason, error }) => {
    losses.set(lock, (losses.get(lock) ?? 0) + 1)
    if (!forced.includes(lock)) recorder.rejected(`lockLost ${lock} (${reason})`, wordFor(error))
  })
  return losses
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { RunClock } from './clock.js'
import type { Ground } from './faults/fault.js'
import type { FaultEntry } from './history.js'
import type { Journal } from './journal.js'
import { Random } from './random.js'
import type { Blow, Round } from './schedule.js'

export interface Inflicted {
  readonly rounds: Iterable<Round>
  readonly ground: Ground
  readonly journal: Pick<Journal, 'write'>
  readonly clock: RunClock
  /** No round begins after this moment of the run. */
  readonly until: number
  /** Ends it earlier. What has begun is undone even so. */
  readonly signal: AbortSignal
}

/**
 * Goes through a schedule until it is time; then everything is undone.
 *
 * A fault counts as over when the servers are calm again: a master that was silent for a while may be replaced although it
 * replies again, and what it confirms until then is lost.
 */
export async function inflict(inflicted: Inflicted): Promise<void> {
  const { rounds, ground, clock, until, signal } = inflicted
  let count = 0
  for (const round of rounds) {
    if (signal.aborted || clock.now() + pauseMsOf(round) > until) return
    const struck: Struck[] = []
    for (const blow of round) {
      count += 1
      struck.push(await strike(blow, count, inflicted))
    }
    await Promise.all(struck.map((each) => each.undo())) // a new client cannot connect while the network is stalled
    await ground.arena.untilCalm()
    for (const each of struck) each.end()
  }
}

function pauseMsOf([first]: Round): number {
  return first?.pauseMs ?? 0
}

interface Struck {
  /** Waits until it has lasted long enough, and undoes it. */
  undo(): Promise<void>
  /** Writes down that it is over. */
  end(): void
}

async function strike(
  { fault, pauseMs, lastsMs, seed }: Blow,
  number: number,
  { ground, journal, clock }: Inflicted,
): Promise<Struck> {
  await sleep(pauseMs)
  const aim = await fault.aim(ground, new Random(seed))
  const note = (phase: FaultEntry['phase']) => {
    const { kind } = fault
    journal.write({ type: 'fault', at: clock.now(), phase, fault: number, kind, target: aim.target })
  }
  note('begin')
  const undo = await aim.begin(lastsMs)
  const over = sleep(lastsMs)
  return {
    async undo() {
      await over
      await undo()
    },
    end: () => {
      note('end')
    },
  }
}

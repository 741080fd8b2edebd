import { setTimeout as sleep } from 'node:timers/promises'
import type * as Library from '../../../src/index.js'
import { hear, tell } from '../../../test/support/child-side.js'
import { RunClock } from '../../clock.js'
import { Journal } from '../../journal.js'
import { Random } from '../../random.js'
import type { Restart } from '../program.js'
import { Performer } from './performer.js'
import { RawView } from './raw.js'
import { Seat, type SeatFacts } from './seat.js'
import type { PlayerSettings } from './settings.js'

const settings = JSON.parse(process.argv[2] ?? '') as PlayerSettings
const library = (await (settings.library === undefined
  ? import('../../../src/index.js')
  : import(settings.library))) as typeof Library
const journal = new Journal(settings.journal)
const clock = new RunClock(BigInt(settings.origin))
const random = new Random(settings.seed)
using raw = new RawView(
  settings.servers,
  settings.others.map(({ server }) => server),
)

/** A client that could not connect is tried again after this time. */
const REOPEN_AFTER_MS = 50

const facts: SeatFacts = { library, settings, journal, clock, raw }
const names = Array.from({ length: settings.clients }, (_, index) => `${settings.process}.${String(index)}`)
const seats = await Promise.all(names.map((name) => Seat.open(facts, name)))
/** How often each client was shut down, and the next one opened. */
const restarts = new Map<number, number>()
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error) => {
    seats[0]?.recorder.trouble(`${event}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`)
  })
}
tell('ready')
const { ms } = await hear('play')
const until = performance.now() + Number(ms)
await Promise.all(settings.flows.map(({ client, program }) => play(client, program)))
tell('played')
await hear('stop')
await Promise.all(seats.map((seat) => seat.close()))
journal[Symbol.dispose]()
tell('done')

async function play(index: number, program: PlayerSettings['flows'][number]['program']): Promise<void> {
  let seat: Seat | undefined
  let performer: Performer | undefined
  while (performance.now() < until) {
    if (performer === undefined || seat !== seats[index]) {
      seat = seatOf(index)
      performer = performerAt(seat, index)
    }
    await performer.perform(program)
    await sleep(0) // a program that is refused at once must not keep the process from everything else
  }
}

function performerAt(seat: Seat, index: number): Performer {
  const { objects, shareOfLooks, watchdogMs } = settings
  const { client, others, recorder, losses, named, newOwner, keptUntil } = seat
  return new Performer({
    ...{ client, others, recorder, losses, named, newOwner, keptUntil },
    ...{ objects, shareOfLooks, watchdogMs, raw },
    random: new Random(random.seed()),
    restart: (how) => restart(index, how),
  })
}

async function restart(index: number, how: Restart): Promise<void> {
  const count = (restarts.get(index) ?? 0) + 1
  restarts.set(index, count)
  await seatOf(index).closeBy(how)
  seats[index] = await reopened(`${names[index] ?? ''}-${String(count)}`)
}

/** Opens a client as soon as the network lets it. */
async function reopened(name: string): Promise<Seat> {
  for (;;) {
    try {
      return await Seat.open(facts, name)
    } catch (error) {
      if (!settings.faulty) throw error
      await sleep(REOPEN_AFTER_MS)
    }
  }
}

function seatOf(index: number): Seat {
  const seat = seats[index]
  if (seat === undefined) throw new RangeError(`Expected one of the clients, got ${String(index)}`)
  return seat
}

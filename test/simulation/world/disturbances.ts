import type { Chance } from './chance.js'
import type { ClockEvent } from './clock.js'
import type { Range } from './network/faults.js'
import type { PartitionMode } from './network/link.js'
import type { World } from './world.js'

/** How often something goes wrong, and for how long. */
export interface Disturbance {
  /** The mean time from one to the next. */
  readonly everyMs: number
  readonly lastsMs: Range
}

/** What goes wrong from time to time. What is left out does not. */
export interface Disturbances {
  /** A process and a server cannot reach each other. */
  readonly partition?: Disturbance & { readonly modes?: readonly PartitionMode[] }
  /** A server has ended, and starts again. */
  readonly away?: Disturbance
  /** A server stands still. */
  readonly freeze?: Disturbance
  /** Messages between a process and a server take longer. */
  readonly slow?: Disturbance & { readonly times?: Range }
  /** Little fits through the link of a process and a server. */
  readonly narrow?: Disturbance & { readonly bytesPerSecond?: Range }
  /** The event loop of a process stands still. */
  readonly pause?: Disturbance
  /** The connections of a process break. They are back as soon as the process connects again. */
  readonly cut?: Pick<Disturbance, 'everyMs'>
  /** The connections of a process break, and soon afterwards its event loop stands still: what it sends again comes late. */
  readonly cutAndPause?: Disturbance
  /** The wall clock of a process is set forward or back. Its monotonic clock is not. */
  readonly step?: Pick<Disturbance, 'everyMs'> & { readonly byMs: Range }
}

const MODES: readonly PartitionMode[] = ['lose', 'hold', 'refuse']
const TIMES: Range = [2, 50]
const BYTES_PER_SECOND: Range = [2_000, 50_000]

/** Has things go wrong at times that the seed decides. Returns how to stop; what goes on then ends in its time, or by `network.calm()`. */
export function disturb(world: World, disturbances: Disturbances): () => void {
  const { network } = world
  const { partition, away, freeze, slow, narrow, pause, cut, cutAndPause, step } = disturbances
  const stops = [
    repeat(world, 'partition', partition, (chance, ms, { modes = MODES }) => {
      network.partition(pickPair(world, chance), chance.pick(modes), ms)
    }),
    repeat(world, 'away', away, (chance, ms) => {
      network.away(chance.pick(network.addresses), ms)
    }),
    repeat(world, 'freeze', freeze, (chance, ms) => {
      network.freeze(chance.pick(network.addresses), ms)
    }),
    repeat(world, 'slow', slow, (chance, ms, { times = TIMES }) => {
      network.slow(pickPair(world, chance), chance.between(...times), ms)
    }),
    repeat(world, 'narrow', narrow, (chance, ms, { bytesPerSecond = BYTES_PER_SECOND }) => {
      network.limit(pickPair(world, chance), chance.between(...bytesPerSecond), ms)
    }),
    repeat(world, 'pause', pause, (chance, ms) => {
      chance.pick(world.hosts).pause(ms)
    }),
    repeat(world, 'cut', cut && { ...cut, lastsMs: [0, 0] }, (chance) => {
      network.cut(pickPair(world, chance))
    }),
    repeat(world, 'cut and pause', cutAndPause, (chance, ms) => {
      cutAndPauseOne(world, chance, ms)
    }),
    repeat(world, 'step', step && { ...step, lastsMs: step.byMs }, (chance, byMs) => {
      chance.pick(world.hosts).stepClock(byMs)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** How soon after its connections have broken a process stands still, at most. */
const PAUSED_WITHIN_MS = 60

function cutAndPauseOne(world: World, chance: Chance, ms: number): void {
  const { clock, network } = world
  const host = chance.pick(world.hosts)
  network.cut({ host: host.name, address: chance.pick(network.addresses) })
  const at = clock.now + chance.between(0, PAUSED_WITHIN_MS)
  const run = () => {
    if (host.isRunning) host.pause(ms)
  }
  clock.schedule({ at, loop: clock.outside, kind: 'timer', what: 'pause', run, isRef: false })
}

function pickPair({ hosts, network }: World, chance: Chance): { host: string; address: string } {
  return { host: chance.pick(hosts).name, address: chance.pick(network.addresses) }
}

/** Repeats something at random times. It keeps no simulation alive, and waits while there is no process or no server. */
export function repeat<D extends Disturbance>(
  world: World,
  name: string,
  disturbance: D | undefined,
  act: (chance: Chance, ms: number, disturbance: D) => void,
): () => void {
  if (disturbance === undefined) return () => undefined
  const { clock, network } = world
  const { everyMs, lastsMs } = disturbance
  const chance = world.chance.fork(`disturb ${name}`)
  let next: ClockEvent
  const run = () => {
    if (world.hosts.length > 0 && network.addresses.length > 0)
      act(chance, chance.between(...lastsMs), disturbance)
    plan()
  }
  const plan = () => {
    const at = clock.now + chance.between(0, 2 * everyMs)
    next = clock.schedule({ at, loop: clock.outside, kind: 'timer', what: name, run, isRef: false })
  }
  plan()
  return () => {
    clock.cancel(next)
  }
}

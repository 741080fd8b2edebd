import type { Random } from '../random.js'
import { usingProgramOf, type DataPalette } from './data/generate.js'
import { GROUPS } from './data/group-messages.js'
import type { DataKind } from './data/methods.js'
import { programOf, type Palette } from './generate.js'
import {
  resourcesOf,
  type DataObject,
  type LockObject,
  type MultiLockObject,
  type SharedObject,
  type SideObject,
  type SimpleObject,
} from './objects.js'
import type { FlowSettings } from './player/settings.js'
import { allSteps, type Step } from './program.js'

/** What the processes of a round do, and under which conditions. */
export interface RoundPlan {
  readonly objects: readonly SharedObject[]
  /** The names of objects that are forced open. */
  readonly forced: readonly string[]
  readonly processes: readonly ProcessPlan[]
  /** How much longer everything takes in each direction, in milliseconds. */
  readonly latencyMs: number
  /** Whether requests, replies and connections get lost. */
  readonly faulty: boolean
  readonly watchdogMs: number
  /** How often holders are compared with Redis, from 0 for never to 1 for always. */
  readonly shareOfLooks: number
  /** Whether processes take turns as the guide says; all callers wait without a limit then. */
  readonly turns: boolean
  /** Whether clients are shut down while they are used. */
  readonly closing: boolean
}

export interface ProcessPlan {
  readonly clients: number
  readonly flows: readonly FlowSettings[]
}

/** All steps of all programs of a round. */
export function stepsOf({ processes }: Pick<RoundPlan, 'processes'>): Step[] {
  return [...allSteps(processes.flatMap(({ flows }) => flows.flatMap(({ program }) => program)))]
}

/** How long the programs of a round take if each waits for all others, in milliseconds. */
export function lengthOf(plan: Pick<RoundPlan, 'processes'>): number {
  return stepsOf(plan).reduce((sum, step) => sum + (step.do === 'pause' ? step.ms : 0), 0)
}

/** Chooses what is done in a round. */
type Mix = (random: Random) => RoundPlan

/** The mixes of programs by name. Each aims at what has failed before, or could. */
export const MIXES = {
  'hand-overs': handOvers,
  turns,
  queues,
  readers,
  permits,
  threads,
  names,
  synchronizers,
  force,
  everything,
  'red-locks': redLocks,
  elections,
  fires,
  lapses,
  overdue,
  extensions,
  shutdowns,
  crowds,
  counters,
  values,
  maps,
  collections,
  elements,
  deliveries,
  streams,
  topics,
  caches,
  works,
} as const satisfies Readonly<Record<string, Mix>>

export type MixName = keyof typeof MIXES

export const MIX_NAMES = Object.keys(MIXES) as MixName[]

/**
 * Leases of the watchdog where holds are extended to one. An extension whose reply was lost may leave its lease in Redis, because the owner has
 * been read, so that nothing is given back. Nothing but the end of that lease frees the lock, before it counts as left.
 */
const EXTENDED_WATCHDOGS_MS = [2_000, 5_000]

const QUIET = {
  forced: [],
  latencyMs: 0,
  faulty: false,
  watchdogMs: 30_000,
  shareOfLooks: 0.3,
  turns: false,
  closing: false,
} as const

/** Threads that ask again and again with little time, while locks change hands. */
function handOvers(random: Random): RoundPlan {
  const objects = [simple(random.pick(['lock', 'fenced', 'non-reentrant', 'fair']), 'baton')]
  const program = (): Step[] => {
    const [object, form] = [0, 'lock'] as const
    const attempt = (): Step => ({
      do: 'enter',
      object,
      form,
      waitMs: random.whole(1, 8),
      tries: random.whole(5, 50),
      ...(random.chance(0.2) && { abortMs: random.whole(1, 6) }),
      steps: [{ do: 'pause', ms: random.whole(0, 3) }],
    })
    return [
      { do: 'thread', steps: [attempt(), { do: 'pause', ms: random.whole(0, 2) }, attempt()] },
      { do: 'pause', ms: random.whole(0, 2) },
    ]
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([1, 1, 2]),
    processes: seatsOf(random, [[0, 0], random.pick([[0], [0, 0]])]).map((seats) => flowsOf(seats, program)),
  }
}

/** Two processes that want the same lock all the time. */
function turns(random: Random): RoundPlan {
  const kind = random.pick(['lock', 'fenced', 'non-reentrant', 'write'] as const)
  const objects = [kind === 'write' ? side('write', 'turnstile', 'reader') : simple(kind, 'turnstile')]
  const inside = random.whole(5, 20)
  const outside = random.whole(1, Math.ceil(inside / 4))
  const program = (): Step[] => [
    {
      do: 'enter',
      object: 0,
      form: random.pick(['withLock', 'acquire', 'using', 'lock']),
      steps: [{ do: 'pause', ms: inside }],
    },
    { do: 'pause', ms: outside },
  ]
  const seats = Array.from({ length: random.pick([2, 2, 2, 3, 5]) }, () => 0)
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 0, 0, 1]),
    shareOfLooks: 0, // they take time, and the rhythm matters
    turns: true,
    processes: [flowsOf(seats, program), flowsOf(random.pick([[0], [0], [0, 0]]), program)],
  }
}

/** Callers of a fair lock that come one after the other, of whom some give up. */
function queues(random: Random): RoundPlan {
  const objects = [simple(random.pick(['fair', 'non-reentrant-fair']), 'counter')]
  const palette: Palette = {
    objects,
    forms: ['withLock', 'acquire', 'using', 'lock'],
    leasesMs: [undefined, undefined, 300],
    waitsMs: [[20, 400], undefined, undefined],
    aborts: { share: 0.1, mostMs: 200 },
    insideMs: random.pick([
      [1, 8],
      [20, 80],
      [500, 2_500],
    ]),
    outsideMs: [0, 60],
    depth: random.whole(1, 2),
    shareOfThreads: 0.1,
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1]),
    shareOfLooks: 0.1,
    processes: seatsOf(random, [[0, 0, 0], [0, 1], [0]]).map((seats) =>
      flowsOf(seats, () => programOf(random, palette)),
    ),
  }
}

/** Readers that enter again with other leases, and writers of other processes. */
function readers(random: Random): RoundPlan {
  const prefer = random.pick(['reader', 'writer'] as const)
  const objects = [side('read', 'prices', prefer), side('write', 'prices', prefer)]
  const patient = random.chance(0.3)
  const insideMs: Palette['insideMs'] = patient ? [5, 2_000] : [5, 60]
  const common = {
    forms: ['withLock', 'withLock', 'lock', 'acquire', 'using'],
    leasesMs: [40, 120, 300, undefined],
    insideMs,
    outsideMs: [0, 30],
    shareOfThreads: 0.3,
  } as const
  const reading: Palette = {
    ...common,
    objects: objects.slice(0, 1),
    waitsMs: [[5, 300], undefined],
    depth: 3,
  }
  const writing: Palette = {
    ...common,
    objects,
    waitsMs: patient
      ? [[500, 4_000], undefined]
      : [
          [1, 8],
          [10, 100],
        ],
    depth: 2,
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1]),
    processes: [
      flowsOf([0, 1], () => programOf(random, reading)),
      flowsOf([0, 0, 1], () => programOf(random, writing)),
    ],
  }
}

/** Semaphores whose callers give up, while requests, replies and connections get lost. */
function permits(random: Random): RoundPlan {
  const objects: SharedObject[] = [
    { kind: 'semaphore', name: 'tables', permits: random.whole(1, 3) },
    { kind: 'expirable', name: 'seats', permits: random.whole(1, 3) },
  ]
  const palette: Palette = {
    objects: random.pick([objects, objects.slice(0, 1)]),
    forms: ['withLock', 'acquire', 'using'],
    leasesMs: [undefined, 300, 60_000],
    waitsMs: [[1, 8], [5, 50], undefined],
    aborts: { share: 0.7, mostMs: 6 },
    insideMs: [0, 4],
    outsideMs: [0, 4],
    depth: 1,
  }
  return {
    ...QUIET,
    objects,
    latencyMs: 1,
    faulty: true,
    processes: [1, 2].map(() => flowsOf([0, 0, 1], () => programOf(random, palette))),
  }
}

/** Threads with names, that enter again and give up, while requests, replies and connections get lost. */
function threads(random: Random): RoundPlan {
  const kinds = random.shuffled(['lock', 'fair', 'fenced', 'lock', 'spin'] as const).slice(0, 2)
  const objects = kinds.map((kind, index) => simple(kind, `desk-${String(index)}`))
  const palette: Palette = {
    objects,
    forms: ['lock'],
    leasesMs: [undefined, 60_000],
    waitsMs: [[1, 30], [50, 200], undefined],
    aborts: { share: 0.6, mostMs: 4 },
    insideMs: [1, 8],
    outsideMs: [0, 3],
    depth: 4,
  }
  const named = (threadId: number) => () => programOf(random, { ...palette, threadIds: [threadId] })
  return {
    ...QUIET,
    objects,
    latencyMs: 1,
    faulty: true,
    processes: [1, 2].map(() => ({
      clients: 2,
      flows: [0, 0, 1].flatMap((client, index) => flowsOf([client], named(index + 1)).flows),
    })),
  }
}

/** Locks whose names look like what the library might call others. */
function names(random: Random): RoundPlan {
  const sides = [side('read', 'x', 'reader'), side('write', 'x', 'reader')]
  const lookalikes = ['read:x', 'write:x', 'lock:x', 'values:x', 'x:write', 'multi:x'].map((name) =>
    simple('lock', name),
  )
  const values: LockObject[] = [
    { kind: 'values', name: 'y', values: ['1', '2'] },
    { kind: 'values', name: 'y 1', values: ['2'] },
  ]
  const singles: LockObject[] = [
    ...sides,
    ...random.shuffled(lookalikes).slice(0, 3),
    ...lookalikes.slice(0, 2),
    ...values,
  ]
  const [read, write] = sides as [LockObject, LockObject]
  const [readLike, writeLike] = lookalikes as [LockObject, LockObject]
  const multis: MultiLockObject[] = [
    { kind: 'multi', members: [write, writeLike] },
    { kind: 'multi', members: [readLike, read] },
    { kind: 'multi', members: random.shuffled([write, ...lookalikes, ...values]).slice(0, 3) },
  ]
  const palette: Palette = {
    objects: [...distinct(singles), ...multis],
    forms: ['withLock', 'acquire', 'using', 'lock'],
    leasesMs: [undefined, 60_000],
    waitsMs: [[1, 20], undefined],
    insideMs: [1, 8],
    outsideMs: [0, 4],
    depth: 2,
    shareOfThreads: 0.3,
  }
  return {
    ...QUIET,
    objects: palette.objects,
    latencyMs: random.pick([0, 1]),
    processes: [1, 2].map(() => flowsOf([0, 1], () => programOf(random, palette))),
  }
}

/** What is no lock. */
function synchronizers(random: Random): RoundPlan {
  const objects: SharedObject[] = [
    { kind: 'semaphore', name: 'tables', permits: random.whole(1, 4) },
    { kind: 'expirable', name: 'seats', permits: random.whole(1, 4) },
    { kind: 'latch', name: 'ready', count: random.whole(1, 3) },
    { kind: 'rate', name: 'mails', rate: random.whole(2, 10), intervalMs: random.whole(50, 500) },
    // Marks last for longer than a request is tried: one that has ended by itself cannot be distinguished from one that was lost.
    { kind: 'once', name: 'report', ttlMs: random.whole(1_000, 3_000), fires: random.whole(1, 5) },
  ]
  const palette: Palette = {
    objects,
    forms: ['withLock', 'acquire', 'using'],
    leasesMs: [undefined, 40, 300],
    waitsMs: [[1, 8], [5, 50], undefined],
    aborts: { share: 0.2, mostMs: 20 },
    insideMs: [0, 20],
    outsideMs: [0, 10],
    depth: 2,
    shareOfExtensions: 0.2,
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.5),
    watchdogMs: random.pick([2_000, 30_000]),
    processes: [1, 2, 3].map(() => flowsOf([0, 0, 1], () => programOf(random, palette))),
  }
}

/** Locks that are forced open while they are used. */
function force(random: Random): RoundPlan {
  const objects: LockObject[] = random
    .shuffled<LockObject>([
      ...simpleObjects(random, 3),
      side('write', 'prices', 'reader'),
      { kind: 'values', name: 'students', values: ['1'] },
    ])
    .slice(0, 3)
  const palette: Palette = { ...anything(objects), shareOfForces: 0.2, shareOfThreads: 0.2 }
  return {
    ...QUIET,
    objects,
    forced: [...objects, ...objects.flatMap(resourcesOf)].map(({ name }) => name),
    latencyMs: random.pick([0, 1]),
    faulty: random.chance(0.3),
    watchdogMs: 2_000,
    processes: [1, 2].map(() => flowsOf([0, 0, 1], () => programOf(random, palette))),
  }
}

/** Every form of every object. */
function everything(random: Random): RoundPlan {
  const prefer = random.pick(['reader', 'writer'] as const)
  const pairs = [side('read', 'prices', prefer), side('write', 'prices', prefer)]
  const values: LockObject = {
    kind: 'values',
    name: 'students',
    values: random.shuffled(['1', '2', '3']).slice(0, 2),
  }
  const single = simpleObjects(random, 3)
  const members = random.shuffled<LockObject>([...single, values, ...pairs.slice(1)]).slice(0, 2)
  const all: SharedObject[] = [
    ...single,
    ...pairs,
    values,
    { kind: 'multi', members },
    { kind: 'semaphore', name: 'tables', permits: random.whole(1, 3) },
    { kind: 'expirable', name: 'seats', permits: random.whole(1, 3) },
  ]
  const palette: Palette = {
    ...anything(all),
    shareOfThreads: 0.2,
    shareOfForks: 0.1,
    shareOfExtensions: 0.2,
    tries: random.pick([1, 5]),
  }
  return {
    ...QUIET,
    objects: all,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.5),
    watchdogMs: random.pick(EXTENDED_WATCHDOGS_MS),
    processes: [1, 2, 3].map(() => flowsOf([0, 0, 1], () => programOf(random, palette))),
  }
}

/** Locks at a majority of servers that know nothing of each other. */
function redLocks(random: Random): RoundPlan {
  const servers = random.pick([3, 3, 5])
  const objects: SharedObject[] = [
    { kind: 'red', name: 'quorum', servers },
    { kind: 'red', name: 'council', servers },
    simple('lock', 'desk'),
  ]
  const palette: Palette = {
    ...anything(objects),
    leasesMs: [undefined, 300, 2_000],
    waitsMs: [[1, 8], [20, 200], undefined],
    depth: 2,
    shareOfThreads: 0.2,
    shareOfExtensions: 0.2,
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1]),
    faulty: random.chance(0.5),
    watchdogMs: random.pick(EXTENDED_WATCHDOGS_MS),
    processes: [1, 2].map(() => flowsOf([0, 0, 1], () => programOf(random, palette))),
  }
}

/** Candidates that come and go. A client is one candidate. */
function elections(random: Random): RoundPlan {
  const leaseMs = random.pick([undefined, 300, 1_000])
  const objects: SharedObject[] = [{ kind: 'election', name: 'speaker', ...(leaseMs && { leaseMs }) }]
  const program = (): Step[] => [
    {
      do: 'lead',
      object: 0,
      forMs: random.whole(20, 1_500),
      requeue: random.chance(0.7),
      fails: random.chance(0.2),
      steps: [{ do: 'pause', ms: random.whole(1, 60) }],
    },
    { do: 'pause', ms: random.whole(0, 50) },
  ]
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.5),
    watchdogMs: random.pick([2_000, 30_000]),
    processes: [1, 2, 3].map(() => flowsOf([0, 1], program)),
  }
}

/** Fires that are due at the same time in every process, of functions some of which fail. */
function fires(random: Random): RoundPlan {
  const objects: SharedObject[] = [
    {
      kind: 'once',
      name: 'minutes',
      ttlMs: random.whole(2_000, 5_000),
      fires: 400,
      everyMs: random.whole(15, 60),
    },
  ]
  const program = (): Step[] => {
    const retry = random.pick([undefined, 'onError', 'onCrash', 'both'] as const)
    return [
      {
        do: 'once',
        object: 0,
        fire: 0,
        fails: random.chance(0.4),
        ...(retry && { retry }),
        steps: [{ do: 'pause', ms: random.whole(0, 20) }],
      },
      { do: 'pause', ms: random.whole(0, 10) },
    ]
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.5),
    processes: [1, 2, 3].map(() => flowsOf([0, 0, 1], program)),
  }
}

/** Threads that are inside twice until their leases end, and ask once more when they may or may not be over. */
function lapses(random: Random): RoundPlan {
  const kinds = random.shuffled(['lock', 'fair', 'fenced', 'spin'] as const).slice(0, 2)
  const objects: SharedObject[] = [
    ...kinds.map((kind, index) => simple(kind, `shift-${String(index)}`)),
    ...(['read', 'write'] as const).map((kind) => side(kind, 'prices', 'reader')),
  ]
  const program = (): Step[] => {
    const object = random.whole(0, objects.length - 1)
    const leaseMs = random.pick([200, 500])
    const enter = (lease: number, steps: readonly Step[]): Step => ({
      do: 'enter',
      object,
      form: 'lock',
      leaseMs: lease,
      waitMs: random.whole(1, 200),
      steps,
    })
    // Clients take a lease for over a hundredth of it, and 2 ms, before Redis does.
    const nearlyOver: Step = { do: 'pause', ms: random.whole(leaseMs * 0.98 - 5, leaseMs) }
    const again = enter(60_000, [{ do: 'pause', ms: random.whole(0, 3) }])
    return [
      { do: 'thread', steps: [enter(leaseMs, [enter(leaseMs, [nearlyOver, again])])] },
      { do: 'pause', ms: random.whole(0, 5) },
    ]
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1]),
    shareOfLooks: 0, // they take time, and the moment matters
    processes: [1, 2].map(() => flowsOf([0, 0, 1], program)),
  }
}

/** Holders that stay for longer than their leases, and give back what others have by then, while others of their process wait. */
function overdue(random: Random): RoundPlan {
  const objects = [simple(random.pick(['lock', 'fenced', 'non-reentrant', 'fair']), 'baton')]
  const program = (): Step[] => [
    {
      do: 'enter',
      object: 0,
      form: random.pick(['withLock', 'acquire', 'lock']),
      ...(random.chance(0.6) && { leaseMs: random.whole(10, 40) }),
      ...(random.chance(0.3) && { waitMs: random.whole(5, 60) }),
      steps: [{ do: 'pause', ms: random.whole(1, 60) }],
    },
    { do: 'pause', ms: random.whole(0, 3) },
  ]
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1]),
    processes: seatsOf(
      random,
      [1, 2].map(() => [0, 0, 0, 0]),
    ).map((seats) => flowsOf(seats, program)),
  }
}

/** Holds that live by being extended, some of them too late. */
function extensions(random: Random): RoundPlan {
  const objects: SharedObject[] = [
    ...simpleObjects(random, 2),
    ...random.pick([[side('write', 'prices', 'reader'), side('read', 'prices', 'reader')], []]),
    { kind: 'expirable', name: 'seats', permits: 1 },
    { kind: 'red', name: 'quorum', servers: 3 },
  ]
  const program = (): Step[] => {
    const mostMs = random.pick([40, 80])
    const extension = (): Step[] => [
      { do: 'pause', ms: random.whole(5, mostMs) },
      { do: 'extend', leaseMs: random.pick([0, 30, 100, 100, 300]) },
    ]
    return [
      {
        do: 'enter',
        object: random.whole(0, objects.length - 1),
        form: random.pick(['withLock', 'acquire', 'using']),
        leaseMs: random.whole(60, 200),
        waitMs: random.whole(5, 300),
        steps: [
          ...Array.from({ length: random.whole(1, 5) }, extension).flat(),
          { do: 'pause', ms: random.whole(1, mostMs) },
        ],
      },
      { do: 'pause', ms: random.whole(0, 5) },
    ]
  }
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1]),
    faulty: random.chance(0.3),
    watchdogMs: 2_000,
    processes: [1, 2].map(() => flowsOf([0, 0, 1], program)),
  }
}

/** Clients that are shut down while they are used. What they leave to their leases ends soon. */
function shutdowns(random: Random): RoundPlan {
  const members = simpleObjects(random, 2)
  const objects: SharedObject[] = [
    ...simpleObjects(random, 2),
    side('read', 'prices', 'reader'),
    side('write', 'prices', 'reader'),
    { kind: 'values', name: 'students', values: ['1', '2'] },
    { kind: 'multi', members },
    { kind: 'expirable', name: 'seats', permits: random.whole(1, 2) },
    { kind: 'red', name: 'quorum', servers: 3 },
    { kind: 'election', name: 'speaker' },
  ]
  const palette: Palette = {
    ...anything(random.shuffled(objects).slice(0, random.whole(1, 4))),
    leasesMs: [undefined, undefined, 300],
    waitsMs: [[20, 200], undefined],
    aborts: { share: 0.05, mostMs: 20 },
    insideMs: [1, 60],
    depth: 2,
    shareOfThreads: 0.2,
  }
  const restart = (): Step[] => [
    { do: 'pause', ms: random.whole(50, 900) },
    { do: 'restart', drainMs: random.pick([0, 0, 20, 200]), release: random.chance(0.7) },
  ]
  return {
    ...QUIET,
    objects: palette.objects,
    latencyMs: random.pick([0, 0, 1]),
    faulty: random.chance(0.25),
    watchdogMs: 2_000,
    closing: true,
    processes: [1, 2].map(() => {
      const { clients, flows } = flowsOf([0, 0, 0, 1, 1], () => programOf(random, palette))
      return { clients, flows: [...flows, { client: 0, program: restart() }] }
    }),
  }
}

/** Many callers of one client at a semaphore: some give back in the same moment while others wait, and requests and replies get lost. */
function crowds(random: Random): RoundPlan {
  const visit = (): Step => ({
    do: 'enter',
    object: 0,
    form: random.pick(['withLock', 'acquire', 'using']),
    permits: random.pick([1, 1, 1, 2]),
    waitMs: random.whole(5, 200),
    ...(random.chance(0.2) && { abortMs: random.whole(0, 6) }),
    steps: [{ do: 'pause', ms: 1 }],
  })
  const program = (): Step[] => [visit(), visit(), { do: 'pause', ms: random.whole(0, 1) }]
  return {
    ...QUIET,
    objects: [{ kind: 'semaphore', name: 'tables', permits: random.whole(3, 6) }],
    latencyMs: random.pick([0, 1]),
    faulty: random.chance(0.8),
    processes: [1, 2].map(() => flowsOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], program)),
  }
}

/** Numbers that are added to, and ids. */
function counters(random: Random): RoundPlan {
  return dataRound(random, ['long', 'double', 'scores', 'ids', 'adder'])
}

/** Buckets, one by one and several at once. */
function values(random: Random): RoundPlan {
  return dataRound(random, ['bucket', 'bucket', 'buckets'])
}

/** Maps whose entries are replaced, added to, computed, and wanted by several callers at once. */
function maps(random: Random): RoundPlan {
  return dataRound(random, ['map', 'map'])
}

/** Elements that are added and taken, each of which is there once. */
function collections(random: Random): RoundPlan {
  return dataRound(random, ['set', 'list', 'sorted'])
}

/** Elements of queues that are offered, and waited for. */
function elements(random: Random): RoundPlan {
  return dataRound(random, ['blocking', 'blocking'])
}

/** Values that processes keep, and that others change. All flows of a client use one object, and so its options. */
function caches(random: Random): RoundPlan {
  const kinds = random.pick([
    ['near', 'near'],
    ['nearCache', 'nearCache'],
    ['cache', 'cache'],
  ] as const)
  return {
    ...dataRound(random, kinds, { sharesOfExactlyOnce: [0], longestPauses: [2, 20, 200] }),
    faulty: random.chance(0.6),
  }
}

/** Messages that are offered, delivered, and acknowledged or not. */
function deliveries(random: Random): RoundPlan {
  const objects = [{ kind: 'messages', name: 'orders' }] as const
  const offering = usingProgramOf(random, {
    objects,
    isInOneSlot: true,
    shareOfExactlyOnce: random.pick([0, 0.5, 1]),
    shareOfMethods: random.pick([0.5, 1]),
    shareOfBatches: random.pick([0, 0.3]),
    pauseMs: [0, 20],
  })
  return messageRound(random, { objects, adding: offering, takingOf: deliverOf })
}

/** Some flows of each process take messages, and one adds them. */
function messageRound(
  random: Random,
  {
    objects,
    adding,
    takingOf,
  }: {
    readonly objects: readonly DataObject[]
    readonly adding: () => Step[]
    readonly takingOf: (random: Random, insideMs: number) => Step
  },
): RoundPlan {
  const insideMs = random.pick([4, 30, 200])
  const taking = (): Step[] => [takingOf(random, insideMs), takingOf(random, insideMs)]
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.8),
    watchdogMs: random.pick(EXTENDED_WATCHDOGS_MS),
    shareOfLooks: 0,
    processes: [1, 2, 3].slice(0, random.whole(2, 3)).map((_, n) => {
      const { clients, flows } = flowsOf([0, 0, n % 2], taking)
      return { clients, flows: [...flows, { client: 0, program: adding() }] }
    }),
  }
}

/** Takes messages of the first object. What is left to its time has one that is short. */
function deliverOf(random: Random, insideMs: number): Step {
  const settle = random.pick(['ack', 'ack', 'ack', 'nack', 'release', 'reject', 'leave'] as const)
  const isShort = settle === 'leave' || random.chance(0.3)
  return {
    do: 'deliver',
    object: 0,
    form: random.pick(['poll', 'consume']),
    count: random.pick([1, 1, 5]),
    waitMs: random.pick([0, 20, 200]),
    ...(isShort && { visibilityMs: random.whole(10, 200) }),
    ...(random.chance(0.15) && { abortMs: random.whole(0, 20) }),
    settle,
    delayMs: random.pick([0, 0, 50]),
    steps: [{ do: 'pause', ms: random.whole(0, insideMs) }],
  }
}

/** Messages that consumers of groups acknowledge, give back, or leave to others. */
function streams(random: Random): RoundPlan {
  return receptions(random, { kind: 'stream', name: 'orders' })
}

/** Messages that the listeners of two subscribers take, or fail at. */
function topics(random: Random): RoundPlan {
  return receptions(random, { kind: 'topic', name: 'placed' })
}

function receptions(random: Random, object: DataObject): RoundPlan {
  const objects = [object]
  const adding = usingProgramOf(random, {
    objects,
    isInOneSlot: true,
    shareOfExactlyOnce: random.pick([0, 0.5, 1]),
    shareOfMethods: 1,
    shareOfBatches: random.pick([0, 0.3]),
    pauseMs: [0, random.pick([10, 40])],
  })
  return messageRound(random, { objects, adding, takingOf: receiveOf })
}

function receiveOf(random: Random, insideMs: number): Step {
  return {
    do: 'receive',
    object: 0,
    group: random.pick(GROUPS),
    count: random.pick([1, 5, 20]),
    waitMs: random.pick([20, 200, 1_000]),
    ...(random.chance(0.15) && { abortMs: random.whole(0, 50) }),
    settle: random.pick(['ack', 'ack', 'ack', 'nack', 'leave']),
    steps: [{ do: 'pause', ms: random.whole(0, insideMs) }],
  }
}

/** Functions of several processes within the same places, and at times within a rate. */
function works(random: Random): RoundPlan {
  const concurrency = random.whole(1, 4)
  const limit = random.whole(1, 8)
  const rate = { limit, perMs: random.pick([50, 200]), burst: random.whole(concurrency, concurrency + 4) }
  const objects: SharedObject[] = [
    { kind: 'work', name: 'mails', concurrency, ...(random.chance(0.5) && { rate }) },
  ]
  const insideMs = random.pick([2, 20, 200])
  const program = (): Step[] =>
    Array.from({ length: random.whole(2, 5) }, () => workOf(random, concurrency, insideMs))
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.6),
    watchdogMs: random.pick([2_000, 5_000]),
    shareOfLooks: 0,
    processes: [1, 2, 3].slice(0, random.whole(2, 3)).map(() => flowsOf([0, 0, 1], program)),
  }
}

function workOf(random: Random, concurrency: number, insideMs: number): Step {
  return {
    do: 'work',
    object: 0,
    weight: random.pick([1, 1, random.whole(1, concurrency)]),
    priority: random.pick([0, 0, -1, 5]),
    ...(random.chance(0.4) && { waitMs: random.pick([0, 5, 300]) }),
    ...(random.chance(0.2) && { abortMs: random.whole(0, 20) }),
    steps: [{ do: 'pause', ms: random.whole(0, insideMs) }],
  }
}

/** What the calls of data objects are chosen from, besides the objects. */
interface Rhythm {
  readonly sharesOfExactlyOnce?: readonly number[]
  /** How long there is nothing to do between two calls at most, in milliseconds. */
  readonly longestPauses?: readonly number[]
}

/** Uses some of these kinds of objects, with a few methods of each, from several processes. */
function dataRound(
  random: Random,
  kinds: readonly DataKind[],
  { sharesOfExactlyOnce = [0, 0.5, 1], longestPauses = [2, 20] }: Rhythm = {},
): RoundPlan {
  const tag = random.chance(0.5) ? '{shop}:' : ''
  const objects = random
    .shuffled(kinds)
    .slice(0, random.whole(1, kinds.length))
    .map((kind, n) => ({ kind, name: `${tag}${kind}-${String(n)}` }))
  const palette: DataPalette = {
    objects,
    isInOneSlot: tag !== '',
    shareOfExactlyOnce: random.pick(sharesOfExactlyOnce),
    shareOfMethods: random.pick([0.3, 0.6, 1]),
    shareOfBatches: random.pick([0, 0.2, 0.6]),
    pauseMs: [0, random.pick(longestPauses)],
  }
  const program = usingProgramOf(random, palette)
  return {
    ...QUIET,
    objects,
    latencyMs: random.pick([0, 1, 2]),
    faulty: random.chance(0.8),
    watchdogMs: random.pick(EXTENDED_WATCHDOGS_MS),
    processes: [1, 2, 3].slice(0, random.whole(2, 3)).map(() =>
      flowsOf(
        random.pick([
          [0, 0],
          [0, 0, 1],
        ]),
        program,
      ),
    ),
  }
}

function anything(objects: readonly SharedObject[]): Palette {
  return {
    objects,
    forms: ['withLock', 'acquire', 'using', 'lock'],
    leasesMs: [undefined, undefined, 40, 300, 60_000],
    waitsMs: [[1, 8], [1, 8], [10, 60], undefined],
    aborts: { share: 0.15, mostMs: 10 },
    insideMs: [0, 15],
    outsideMs: [0, 5],
    depth: 3,
  }
}

const SIMPLE_KINDS = ['lock', 'fair', 'fenced', 'spin', 'non-reentrant', 'non-reentrant-fair'] as const

function simpleObjects(random: Random, count: number): SimpleObject[] {
  return random
    .shuffled(SIMPLE_KINDS)
    .slice(0, count)
    .map((kind) => simple(kind, `shop-${kind}`))
}

function simple(kind: SimpleObject['kind'], name: string): SimpleObject {
  return { kind, name }
}

function side(kind: SideObject['kind'], name: string, prefer: SideObject['prefer']): SideObject {
  return { kind, name, prefer }
}

/** The clients of the flows of each process. In some rounds there is one process, which has the lock for itself. */
function seatsOf(random: Random, seats: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return random.chance(0.3) ? seats.slice(0, 1) : seats
}

function flowsOf(seats: readonly number[], program: () => Step[]): ProcessPlan {
  return { clients: Math.max(...seats) + 1, flows: seats.map((client) => ({ client, program: program() })) }
}

function distinct(objects: readonly LockObject[]): LockObject[] {
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()]
}

import type { StockName } from './shop/objects/settings.js'
import type { LockingName, Mishap } from './shop/settings.js'

/** How much of something there shall be. */
export type Amount = 'none' | 'some' | 'any'

/** What has to come out for a step to have behaved as it should. */
export interface Expectation {
  /** Whether all items shall be sold, and no more, or the count is not the point. */
  readonly sold: 'all' | 'any'
  readonly oversold: Amount
  readonly stuck: Amount
  readonly wrongReleases: Amount
  readonly twoInside: Amount
}

interface Lesson {
  readonly name: string
  /** What the team believes before. */
  readonly belief: string
  /** What it knows afterwards. */
  readonly lesson: string
  readonly expected: Expectation
}

/** One lesson on the way to a lock that holds: the first act. */
export interface LockStep extends Lesson {
  readonly locking: LockingName
  readonly leaseMs: number
  readonly mishaps: readonly Mishap[]
}

/** One without a lock: the second act. */
export interface ObjectStep extends Lesson {
  readonly stock: StockName
}

export type Step = LockStep | ObjectStep

/** Whether a step has no lock. */
export function isWithoutLock(step: Step): step is ObjectStep {
  return 'stock' in step
}

/** Long enough that a busy machine does not end it. */
const LEASE_MS = 1_000
const WATCHDOG_MS = 2_000

const OVERSELLS: Expectation = {
  sold: 'any',
  oversold: 'some',
  stuck: 'none',
  wrongReleases: 'none',
  twoInside: 'some',
}

const STICKS: Expectation = {
  sold: 'any',
  oversold: 'none',
  stuck: 'some',
  wrongReleases: 'none',
  twoInside: 'none',
}

const ZEROS: Expectation = {
  sold: 'all',
  oversold: 'none',
  stuck: 'none',
  wrongReleases: 'none',
  twoInside: 'none',
}

/** The way that a team goes. */
export const steps: readonly Step[] = [
  {
    name: 'no-lock',
    locking: 'none',
    belief: 'Redis does one thing at a time. What could go wrong?',
    lesson: 'A sale reads and then writes: others read the same stock in between.',
    leaseMs: LEASE_MS,
    mishaps: [],
    expected: OVERSELLS,
  },
  {
    name: 'process-lock',
    locking: 'in-process',
    belief: 'One sale at a time, then: a queue in the process.',
    lesson: 'There are two processes, and each has a queue of its own.',
    leaseMs: LEASE_MS,
    mishaps: [],
    expected: OVERSELLS,
  },
  {
    name: 'setnx',
    locking: 'setnx',
    belief: 'The lock has to be in Redis: SETNX.',
    lesson: 'The lock of a shop that was killed is never deleted. The other one waits for ever.',
    leaseMs: LEASE_MS,
    mishaps: [{ what: 'killed', when: 'before-writing', atStock: 80 }],
    expected: STICKS,
  },
  {
    name: 'setnx-expire',
    locking: 'setnx-expire',
    belief: 'It has to end by itself: SETNX, then EXPIRE.',
    lesson: 'These are two commands, and a shop can be killed between them.',
    leaseMs: LEASE_MS,
    mishaps: [{ what: 'killed', when: 'taking-the-lock', atStock: 80 }],
    expected: STICKS,
  },
  {
    name: 'set-nx-px',
    locking: 'set-nx-px',
    belief: 'One command, then: SET NX PX.',
    lesson: 'That outlives a killed shop. The lease is a guess of how long a sale takes, though.',
    leaseMs: LEASE_MS,
    mishaps: [{ what: 'killed', when: 'before-writing', atStock: 80 }],
    expected: ZEROS,
  },
  {
    name: 'foreign-delete',
    locking: 'set-nx-px',
    belief: 'A sale never takes a whole second.',
    lesson: 'One did. Its lock had ended, and its DEL deleted the lock of the next one.',
    leaseMs: LEASE_MS,
    mishaps: [
      { what: 'slow', when: 'after-writing', atStock: 80 },
      { what: 'slow', when: 'after-writing', atStock: 40 },
    ],
    expected: { sold: 'any', oversold: 'any', stuck: 'none', wrongReleases: 'some', twoInside: 'some' },
  },
  {
    name: 'compare-and-delete',
    locking: 'compare-and-delete',
    belief: 'Delete the lock only if it is still ours: a script in Lua.',
    lesson:
      'No shop deletes the lock of another. There were still two holders; by chance, one had written already.',
    leaseMs: LEASE_MS,
    mishaps: [
      { what: 'slow', when: 'after-writing', atStock: 80 },
      { what: 'slow', when: 'after-writing', atStock: 40 },
    ],
    expected: { sold: 'all', oversold: 'none', stuck: 'none', wrongReleases: 'none', twoInside: 'some' },
  },
  {
    name: 'long-work',
    locking: 'compare-and-delete',
    belief: 'What can a late sale do, if it deletes nothing?',
    lesson: 'It can write what it read before its lease ended, over what was sold since.',
    leaseMs: LEASE_MS,
    mishaps: [
      { what: 'slow', when: 'before-writing', atStock: 80 },
      { what: 'slow', when: 'before-writing', atStock: 40 },
    ],
    expected: OVERSELLS,
  },
  {
    name: 'rlock',
    locking: 'rlock',
    belief: 'RLock: a lease that is renewed while its owner lives, and ends soon after it has died.',
    lesson: 'A slow sale kept its lock, and that of the killed shop was free after its lease.',
    leaseMs: WATCHDOG_MS,
    mishaps: [
      { what: 'slow', when: 'before-writing', atStock: 80 },
      { what: 'killed', when: 'before-writing', atStock: 40 },
    ],
    expected: ZEROS,
  },
  {
    name: 'no-bound',
    stock: 'no-bound',
    belief: 'No lock: an RAtomicLong counts the stock, and no update of it gets lost.',
    lesson: 'None was lost. A sale looks whether there is stock, and takes it later: the stock went below 0.',
    expected: OVERSELLS,
  },
  {
    name: 'lower-bound',
    stock: 'lower-bound',
    belief: 'Look and take in one step, then: incrementAndGet({ by: -1, lowerBound: -1 }).',
    lesson: 'Many sales were inside at once, and did no harm. A lock is for what takes more than one step.',
    expected: { sold: 'all', oversold: 'none', stuck: 'none', wrongReleases: 'none', twoInside: 'some' },
  },
]

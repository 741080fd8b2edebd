/** How much is done. */
export interface Sizes {
  /** Sections of a cell, if they take no longer than {@link Sizes.limitMs}. */
  readonly sections: number
  /** After this time no section begins. */
  readonly limitMs: number
  /** Sections that each process goes through before it is measured. */
  readonly warmUps: number
  /** Locks that are taken at once. */
  readonly locksAtOnce: number
  /** How often they are. */
  readonly waves: number
  /** How often each of two processes has the lock that they pass to and fro. */
  readonly pings: number
  /** How long the holder keeps those waiting who are counted. */
  readonly holdMs: number
  /** Locks that are held under the watchdog. */
  readonly locksHeld: number
  /** How long a lease lasts: long enough that it needs no renewal. */
  readonly leaseMs: number
  /** How long a lease lasts where renewal is measured. */
  readonly watchedLeaseMs: number
  /** How long leases are watched. */
  readonly watchMs: number
  readonly orders: number
  /** How many fields a map has that is iterated over. */
  readonly fields: number
  /** How long a contender of values warms up, in all. */
  readonly warmUpMs: number
  /** How long each of its measurements takes. */
  readonly turnMs: number
  /** How often both of a pair take turns at each measurement, in every round. */
  readonly turns: number
  /** How often each contender is measured. */
  readonly rounds: number
  /** A cell that takes longer goes nowhere. */
  readonly deadlineMs: number
}

/** What figures are published from. */
export const FULL: Sizes = {
  sections: 20_000,
  limitMs: 1_500,
  warmUps: 5_000,
  locksAtOnce: 1_000,
  waves: 60,
  pings: 1_000,
  holdMs: 2_000,
  locksHeld: 10_000,
  leaseMs: 30_000,
  watchedLeaseMs: 3_000,
  watchMs: 6_000,
  orders: 100_000,
  fields: 1_000_000,
  warmUpMs: 4_000,
  turnMs: 50,
  turns: 16,
  rounds: 9,
  deadlineMs: 30_000,
}

/** Small enough to look at it in between. */
export const QUICK: Sizes = {
  sections: 2_000,
  limitMs: 800,
  warmUps: 200,
  locksAtOnce: 1_000,
  waves: 3,
  pings: 100,
  holdMs: 2_000,
  locksHeld: 2_000,
  leaseMs: 30_000,
  watchedLeaseMs: 3_000,
  watchMs: 3_000,
  orders: 3_000,
  fields: 100_000,
  warmUpMs: 1_500,
  turnMs: 50,
  turns: 4,
  rounds: 1,
  deadlineMs: 20_000,
}

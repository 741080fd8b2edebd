import type { RBatch, RedissonClient } from '../../../src/index.js'
import type { CallArguments } from '../../history.js'
import type { Effect } from './effects.js'

/** Where a call finds its object: a client, or a batch of it. */
export interface Caller {
  readonly source: Omit<RBatch, 'getTopic' | 'getShardedTopic'>
  readonly client: RedissonClient
  readonly name: string
  readonly options: { readonly exactlyOnce: boolean }
  readonly args: CallArguments
  /** The time, as histories have it. */
  readonly now: () => number
}

/** What a call has returned. */
export interface Reply {
  readonly result: unknown
}

/** How a method is called. The result is plain data. */
export type Run = (caller: Caller) => Promise<unknown>

/** A method of a data object: how it is called, and what its calls mean. */
export interface DataMethod {
  /** Whether it is sent again without `exactlyOnce` when its reply is lost, so that a copy may come late. */
  readonly repeats?: true
  /** Whether it takes several requests or none, and so is in no batch. */
  readonly alone?: true
  /** Which keys it is called with. */
  readonly keys?: readonly string[]
  /** How many new values it is called with. */
  readonly values?: number
  /** Whether it is called with an element that was there once. */
  readonly element?: true
  /** Whether it is called with a number to add. */
  readonly adds?: true
  /** The method by which the value is read that it expects. */
  readonly expects?: string
  /** Absent where no `use` step calls it. */
  readonly run?: Run
  /** What a call does; without a reply, what it may have done. */
  effects(args: CallArguments, reply: Reply | undefined): readonly Effect[]
}

export type DataMethods = Readonly<Record<string, DataMethod>>

/** Keys of values that are replaced and removed. */
export const REGISTERS = ['a', 'b', 'c']

/** Keys of numbers that are added to. */
export const SUMS = ['n1', 'n2']

/** Keys each of which callers want at the same time, and which none removes. */
export const CLAIMS = Array.from({ length: 16 }, (_, n) => `t${String(n)}`)

/** Another one of the claims is wanted after this time. */
const CLAIMED_FOR_MS = 50

export function claimAt(now: number): string {
  return CLAIMS[Math.floor(now / CLAIMED_FOR_MS) % CLAIMS.length] as string
}

export function keyOf({ key = '' }: CallArguments): string {
  return key
}

export function valueOf({ values = [] }: CallArguments): string {
  return values[0] ?? ''
}

export function valuesOf({ values = [] }: CallArguments): readonly string[] {
  return values
}

export function byOf({ by = 0 }: CallArguments): number {
  return by
}

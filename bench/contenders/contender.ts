import type { HostAndPort } from 'ioredisson'
import type { Child } from '../../test/support/child.js'
import type { Values } from './values.js'

/** Gives back what was taken. */
export type Release = () => Promise<unknown>

/** Takes what has a name, waiting for as long as it takes. */
export type Take = (name: string) => Promise<Release>

/** What can be taken. */
export type Kind =
  | 'lock'
  /** A lock that renews its lease for as long as it is held. */
  | 'renewed-lock'
  | 'fair-lock'
  | 'read-lock'
  | 'fenced-lock'
  /** One of {@link PERMITS} permits. */
  | 'semaphore'
  /** A call of a rate limiter that lets everything through; there is nothing to give back. */
  | 'rate-grant'
  /** A call of a rate limiter whose rate is used up. */
  | 'rate-refusal'
  /** A lock on most of several masters. */
  | 'red-lock'

/** Objects that keep values or pass them on. */
export const VALUE_KINDS = [
  'bucket',
  'counter',
  'map',
  'list',
  'set',
  'sorted-set',
  'bloom-filter',
  'topic',
  'blocking-queue',
  'reliable-queue',
  'stream',
  'cache',
  'key-limits',
] as const
export type ValueKind = (typeof VALUE_KINDS)[number]

/** How many permits a semaphore has. */
export const PERMITS = 10

/** A contender that is connected. */
export interface Session {
  readonly takes: Readonly<Partial<Record<Kind, Take>>>
  /**
   * What it does with values.
   *
   * @defaultValue nothing
   */
  readonly values?: Values
  close(): Promise<unknown>
}

export interface SessionOptions {
  /** The lease of a lock without renewal, where it has to be set. */
  readonly leaseMs: number
}

/** What a process gets when it starts. */
export interface ClientSettings extends SessionOptions {
  readonly contender: string
  readonly servers: readonly HostAndPort[]
}

/** A library, as its own documentation says that it is used. */
export interface Contender {
  readonly name: string
  /** The package that it comes in; none for what is written here. */
  readonly packageName?: string
  /** What was set, and what was left as it is. */
  readonly settings: string
  /** What it cannot do, and why. */
  readonly cannot: Readonly<Partial<Record<Kind | ValueKind, string>>>
  /**
   * The workloads that it is measured by.
   *
   * @defaultValue all of locks
   */
  readonly workloads?: readonly string[]
  /**
   * How many processes share the flows of a workload.
   *
   * @defaultValue as many as the workload says
   */
  readonly processes?: number
  /**
   * Starts a process that uses it.
   *
   * @defaultValue one of Node that calls {@link NodeContender.open}
   */
  readonly start?: (settings: ClientSettings) => Child
}

/** One that is used from Node. */
export interface NodeContender extends Contender {
  /** Connects; the first server is the one for all that needs only one. */
  open(servers: readonly HostAndPort[], options: SessionOptions): Promise<Session>
}

import type { LockName, Side } from '../history.js'
import { DATA_KINDS, type DataKind } from './data/methods.js'

/** An object that several processes use. */
export type SharedObject =
  | AnyLockObject
  | PermitsObject
  | RateObject
  | WorkObject
  | LatchObject
  | OnceObject
  | ElectionObject
  | DataObject

/** All that has the face of a lock. */
export type AnyLockObject = LockObject | MultiLockObject | RedLockObject

/** A lock that is one lock. */
export type LockObject = SimpleObject | SideObject | ValuesObject

export interface SimpleObject {
  readonly kind: 'lock' | 'fair' | 'fenced' | 'spin' | 'non-reentrant' | 'non-reentrant-fair'
  readonly name: string
}

/** One side of a read-write lock. */
export interface SideObject {
  readonly kind: Side
  readonly name: string
  readonly prefer: 'reader' | 'writer'
}

/** Values of a group. */
export interface ValuesObject {
  readonly kind: 'values'
  readonly name: string
  readonly values: readonly string[]
}

export interface MultiLockObject {
  readonly kind: 'multi'
  readonly members: readonly LockObject[]
}

/** A lock at a majority of independent servers: the one of the round, and others beside it. */
export interface RedLockObject {
  readonly kind: 'red'
  readonly name: string
  readonly servers: number
}

export interface PermitsObject {
  readonly kind: 'semaphore' | 'expirable'
  readonly name: string
  readonly permits: number
}

export interface RateObject {
  readonly kind: 'rate'
  readonly name: string
  readonly rate: number
  readonly intervalMs: number
}

/** Runs functions within a concurrency, and within a rate if there is one. */
export interface WorkObject {
  readonly kind: 'work'
  readonly name: string
  readonly concurrency: number
  readonly rate?: Rate
}

export interface Rate {
  readonly limit: number
  readonly perMs: number
  readonly burst: number
}

export interface LatchObject {
  readonly kind: 'latch'
  readonly name: string
  readonly count: number
}

/** What runs once for each of a number of fires. */
export interface OnceObject {
  readonly kind: 'once'
  readonly name: string
  readonly ttlMs: number
  readonly fires: number
  /** The milliseconds between two fires; otherwise programs say which. */
  readonly everyMs?: number
}

/** Who is elected, leads. */
export interface ElectionObject {
  readonly kind: 'election'
  readonly name: string
  /** `undefined` is the watchdog's lease. */
  readonly leaseMs?: number
}

/** Values, which nothing guards. */
export interface DataObject {
  readonly kind: DataKind
  readonly name: string
}

/** A resource with a limited number of users at a time, by its name in the history. */
export interface Resource {
  readonly name: string
  readonly side: Side
  /** The kind of lock whose rules hold for it. */
  readonly rules: LockName | 'rate' | 'once'
  readonly permits: number
}

/** What is taken with an object, all at once. */
export function resourcesOf(object: SharedObject): readonly Resource[] {
  switch (object.kind) {
    case 'multi':
      return object.members.flatMap(resourcesOf)
    case 'values':
      return object.values.map((value) => exclusive(`${object.name}/${value}`, 'rlock'))
    case 'read':
    case 'write':
      return [{ name: object.name, side: object.kind, rules: 'rw', permits: 1 }]
    case 'semaphore':
    case 'expirable':
      return [{ name: object.name, side: 'write', rules: 'semaphore', permits: object.permits }]
    case 'fenced':
    case 'election':
      return [exclusive(object.name, 'fenced')]
    case 'non-reentrant':
    case 'non-reentrant-fair':
      return [exclusive(object.name, 'non-reentrant')]
    case 'lock':
    case 'fair':
    case 'spin':
    case 'red':
      return [exclusive(object.name, 'rlock')]
    case 'rate':
      return [{ name: object.name, side: 'write', rules: 'rate', permits: object.rate }]
    case 'work':
      return [placeOf(object), ...(object.rate === undefined ? [] : [cellOf(object, object.rate)])]
    case 'once':
      return Array.from({ length: object.fires }, (_, fire) => fireOf(object, fire))
    default:
      return []
  }
}

/** The one delivery of a message at a time, by its value. */
export function deliveryOf({ name }: DataObject, value: string): Resource {
  return exclusive(`${DELIVERY}${name}/${value}`, 'non-reentrant')
}

/** The one delivery of a group at a time. */
export function groupOf({ name }: DataObject, group: string): Resource {
  return exclusive(`${DELIVERY}${name}/group ${group}`, 'non-reentrant')
}

const DELIVERY = 'delivery of '

/** The resource of a name that stands for a delivery. What is delivered is not known beforehand. */
export function deliveryBy(name: string): Resource | undefined {
  return name.startsWith(DELIVERY) ? exclusive(name, 'non-reentrant') : undefined
}

/** A place of those that run. */
function placeOf({ name, concurrency }: WorkObject): Resource {
  return { name, side: 'write', rules: 'semaphore', permits: concurrency }
}

/** What a function uses of a rate. In its interval there is a whole burst, and what comes back meanwhile. */
function cellOf({ name }: WorkObject, { limit, burst }: Rate): Resource {
  return { name: cellNameOf(name), side: 'write', rules: 'rate', permits: burst + limit }
}

/** What stands for the cells of a work limiter. */
export function cellNameOf(name: string): string {
  return `cells of ${name}`
}

export function fireOf({ name }: OnceObject, fire: number): Resource {
  return { name: `${name}:${String(fire)}`, side: 'write', rules: 'once', permits: 1 }
}

function exclusive(name: string, rules: LockName): Resource {
  return { name, side: 'write', rules, permits: 1 }
}

export function isPermits(object: SharedObject): object is PermitsObject {
  return object.kind === 'semaphore' || object.kind === 'expirable'
}

export function isLock(object: SharedObject): object is AnyLockObject {
  return !isPermits(object) && !NO_LOCKS.has(object.kind)
}

const NO_LOCKS: ReadonlySet<SharedObject['kind']> = new Set([
  'rate',
  'work',
  'latch',
  'once',
  'election',
  ...DATA_KINDS,
])

export function isData(object: SharedObject): object is DataObject {
  return (DATA_KINDS as readonly SharedObject['kind'][]).includes(object.kind)
}

/** How many servers there have to be beside those of the round. */
export function othersFor(objects: readonly SharedObject[]): number {
  return Math.max(0, ...objects.map((object) => (object.kind === 'red' ? object.servers - 1 : 0)))
}

/** The object in short, for those who read a program. */
export function nameOf(object: SharedObject): string {
  switch (object.kind) {
    case 'multi':
      return `multi(${object.members.map(nameOf).join(' ')})`
    case 'values':
      return `values ${object.name}[${object.values.join(' ')}]`
    case 'read':
    case 'write':
      return `${object.kind} ${object.name}${object.prefer === 'writer' ? ' (prefer writer)' : ''}`
    case 'semaphore':
    case 'expirable':
      return `${object.kind} ${object.name}(${String(object.permits)})`
    case 'work':
      return `work ${object.name}(${String(object.concurrency)})`
    case 'red':
      return `red ${object.name} of ${String(object.servers)}`
    default:
      return `${object.kind} ${object.name}`
  }
}

/** Whether its holder may enter again. */
export function isReentrant(object: SharedObject): boolean {
  return isLock(object) && object.kind !== 'non-reentrant' && object.kind !== 'non-reentrant-fair'
}

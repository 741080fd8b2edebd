import type { Entry } from '../../history.js'
import { isData, type DataObject, type PermitsObject, type SharedObject } from '../objects.js'

/** A key that is left. */
export interface Remaining {
  readonly key: string
  /** As Redis tells it: -1 if it stays for good, -2 if it has gone meanwhile. */
  readonly ttlMs: number
}

/** How long the undoing of an acquisition is remembered. */
const LONGEST_MEMORY_MS = 600_000

/** The place of a waiter that could not say that it left is removed by the next to ask, or with these keys. */
const QUEUES = /^(redisson_lock_(queue|timeout|heartbeat)|ioredisson_work_(waiting|ends)):/

/** Whether a key may be left when nothing is held: what the wire format says that remains. */
export function mayRemain(
  { key, ttlMs }: Remaining,
  { objects, faulty }: { readonly objects: readonly SharedObject[]; readonly faulty: boolean },
): boolean {
  if (ttlMs === -2 || key.startsWith('redisson_lock_token:')) return true
  if (key.startsWith('redisson_unlock_latch:')) return ttlMs > 0 && ttlMs <= LONGEST_MEMORY_MS
  if (key.startsWith('ioredisson_work_resets:')) return ttlMs > 0 && ttlMs <= LONGEST_MEMORY_MS
  if (QUEUES.test(key)) return faulty && ttlMs > 0
  if (key.startsWith('redisson__once:')) return faulty && ttlMs > 0 && ttlMs <= LONGEST_MEMORY_MS
  return objects.some((object) => {
    if (isData(object))
      return (
        isOfData(key, object) ||
        (faulty && ttlMs > 0 && isOfSum(key, object)) ||
        (faulty && isOfTopic(key, object))
      )
    switch (object.kind) {
      case 'semaphore':
      case 'latch':
        return key === object.name
      case 'expirable': // its leases end with the next call, and its permits are counted
        return [object.name, `{${object.name}}:timeout`].includes(key)
      case 'rate':
        return [object.name, `{${object.name}}:value`, `{${object.name}}:permits`].includes(key)
      case 'once':
        return key.startsWith(`redisson_once:{${object.name}}:`) && ttlMs > 0
      default:
        return false
    }
  })
}

/** An adder has no key that stays. */
function isOfData(key: string, { kind, name }: DataObject): boolean {
  if (kind === 'buckets') return key.startsWith(`${taggedBy(name)}:`)
  if (kind === 'ids' && key === `${taggedBy(name)}:allocation`) return true
  if (kind === 'near' && key === `redisson__cache_updates_log:${taggedBy(name)}`) return true
  if (kind === 'cache') return isOfCache(key, name)
  if (kind === 'messages' && key.startsWith(`${taggedBy(name)}:`)) return true
  return kind !== 'adder' && key === name
}

/** No mark of a load stays. */
function isOfCache(key: string, name: string): boolean {
  if (key === `ioredisson_cache_clear:${taggedBy(name)}`) return true
  return key.startsWith(`${name}:`) && !key.endsWith(':load')
}

/** The keys of a sum whose caller could not remove them. */
function isOfSum(key: string, { kind, name }: DataObject): boolean {
  return kind === 'adder' && key.startsWith(`${taggedBy(name)}:`) && /:(counter|semaphore)$/.test(key)
}

/** The lease of a process that could not say that it is not active any more. */
function isOfTopic(key: string, { kind, name }: DataObject): boolean {
  return kind === 'topic' && key === `${taggedBy(name)}:timeout`
}

/** How keys begin that are named by adding to a name. */
function taggedBy(name: string): string {
  return name.includes('{') ? name : `{${name}}`
}

/** How many permits are free when none is taken. A release that was rejected may have run or not. */
export function permitsAtRest(
  { name, permits }: PermitsObject,
  entries: readonly Entry[],
): { readonly least: number; readonly most: number } {
  const releases = new Set(
    entries.flatMap((entry) =>
      entry.type === 'begin' && entry.op === 'release' && entry.name === name ? [entry.id] : [],
    ),
  )
  const unsure = entries.filter(
    (entry) => entry.type === 'end' && entry.error !== undefined && releases.has(entry.id),
  )
  return { least: permits - unsure.length, most: permits }
}

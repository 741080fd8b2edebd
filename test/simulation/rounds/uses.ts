import type { BeginEntry, Entry } from '../../../chaos/history.js'
import { isLock, type LockObject, type SharedObject } from '../../../chaos/random-use/objects.js'

/** One call for a lock, from its begin to the end of its hold. */
export interface Use {
  readonly begin: BeginEntry
  /** When the call returned. */
  readonly returnedAt: number
  readonly isGranted: boolean
  /** When the lock was given back. */
  readonly releasedAt: number
}

/** The calls for a lock. What has not happened has the time `Infinity`. */
export function usesOf(entries: readonly Entry[], name: string): Use[] {
  const begins = entries.filter((entry) => entry.type === 'begin' && entry.name === name) as BeginEntry[]
  const ends = new Map(entries.flatMap((entry) => (entry.type === 'end' ? [[entry.id, entry] as const] : [])))
  const endOf = ({ id }: BeginEntry) => ends.get(id)?.at ?? Infinity
  const releases = new Map(
    begins.flatMap((begin) => (begin.op === 'release' ? [[begin.hold, endOf(begin)] as const] : [])),
  )
  return begins
    .filter(({ op }) => op === 'acquire')
    .map((begin) => ({
      begin,
      returnedAt: endOf(begin),
      isGranted: ends.get(begin.id)?.outcome === 'ok',
      releasedAt: releases.get(begin.hold) ?? Infinity,
    }))
}

/** Locks that callers take one at a time: no caller waits for another one while it has this one. */
export function locksTakenAlone(objects: readonly SharedObject[]): readonly LockObject[] {
  const members = new Set(objects.flatMap((object) => (object.kind === 'multi' ? object.members : [])))
  const names = new Set([...members].map(({ name }) => name))
  return objects.filter(
    (object): object is LockObject =>
      isLock(object) &&
      object.kind !== 'multi' &&
      object.kind !== 'red' &&
      object.kind !== 'values' &&
      !names.has(object.name),
  )
}

import type { Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'

/** What callers have to expect of every call: that it was not in time, a lease that has ended, or a flow that has waited for itself as long as a lease lasts. */
const ALWAYS = [
  'GaveUp',
  'LOCK_TIMEOUT',
  'REPLY_TIMEOUT:waiting', // of a call with a time to wait: no reply came in that time
  'PERMIT_TIMEOUT',
  'WORK_TIMEOUT',
  'LOCK_REENTRY',
  'NESTED_LOCK',
  'FORKED_THREAD',
  'NOT_HELD',
  'NOT_HELD:expired',
  'LOCK_LOST:expired',
  'PERMIT_NOT_HELD',
  'PERMIT_NOT_HELD:expired',
  'PERMIT_LOST:expired',
]

/** What networks add to that. */
const OF_NETWORKS = ['CONNECTION_LOST', 'REPLY_TIMEOUT', 'SERVER_NOT_READY', 'SUBSCRIPTION_TIMEOUT']

/** What `forceUnlock()` adds. */
const OF_FORCE = [
  'NOT_HELD:not-held',
  'NOT_HELD:forced',
  'LOCK_LOST:not-held',
  'LOCK_LOST:forced',
  'NOT_HELD while held',
  'LOST_EARLY',
]

/** What majorities of servers add: each server gets only a share of the lease to answer. */
const OF_MAJORITIES = ['NO_QUORUM', 'TimeoutError']

/** What clients add that are shut down. */
const OF_CLOSING = [
  'CLOSED',
  'NOT_HELD:closed',
  'LOCK_LOST:closed',
  'PERMIT_NOT_HELD:closed',
  'PERMIT_LOST:closed',
]

interface Strange {
  readonly what: string
  readonly entries: readonly Entry[]
}

/** Events do not tell whether the lease was over when a release came late; the release itself does. */
const TOLD_LATE = 'LOCK_LOST:not-held'

/** Looks for rejections that no caller has to expect, each kind once with how often it came. */
export function checkErrors(entries: readonly Entry[], conditions: Conditions): Breach[] {
  const expected = expectedIn(conditions)
  const begins = new Map(
    entries.flatMap((entry) => (entry.type === 'begin' ? [[entry.id, entry] as const] : [])),
  )
  const strange = entries.flatMap((entry): Strange[] => {
    const isLate = entry.type === 'rejected' && entry.error === TOLD_LATE
    if (entry.type === 'rejected' && !isLate && !isExpected(entry.error, expected))
      return [{ what: `${entry.what}: ${entry.error}`, entries: [entry] }]
    if (entry.type !== 'end' || entry.error === undefined || isExpected(entry.error, expected)) return []
    const begin = begins.get(entry.id)
    const what = `${begin?.op ?? ''} of ${begin?.name ?? ''}: ${entry.error}`
    return [{ what, entries: begin === undefined ? [entry] : [begin, entry] }]
  })
  return [...Map.groupBy(strange, ({ what }) => what)].map(([what, alike]) => ({
    kind: 'error',
    what: `${what} (${String(alike.length)} times)`,
    entries: alike[0]?.entries ?? [],
  }))
}

function expectedIn({ faulty, forced, majorities, closing }: Conditions): ReadonlySet<string> {
  return new Set([
    ...ALWAYS,
    ...(faulty ? OF_NETWORKS : []),
    ...(majorities ? OF_MAJORITIES : []),
    ...(forced.size > 0 ? OF_FORCE : []),
    ...(closing ? OF_CLOSING : []),
  ])
}

/** An error of several members is to be expected if theirs are. */
function isExpected(word: string, expected: ReadonlySet<string>): boolean {
  const members = /^[A-Z_]+\((.*)\)$/.exec(word)?.[1]
  return (members?.split(' ') ?? [word]).every((each) => expected.has(each))
}

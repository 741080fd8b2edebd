import { REPLICAS } from '../replicas.js'
import { FORGETS, STOPS_CLIENTS } from './faults.js'
import type { IndexedHistory } from './indexed-history.js'

/**
 * Replicas confirm a lock for the lease that it has when it is granted; renewals are not waited for. The answer may be late,
 * so only so much of a lease after it is sure.
 */
const CONFIRMED_LEASE = 0.5

/**
 * Whether a certain time allows no further holder, beside earlier ones.
 *
 * Replication is asynchronous, so a failover may bring a server to power that has not heard of the lock, unless all
 * replicas had confirmed it.
 *
 * @param grantedAtMs - when the holder that has been inside longest was answered
 */
export function isExclusionPromised(history: IndexedHistory, atMs: number, grantedAtMs = atMs): boolean {
  const { run, faults } = history
  if (!faults.of(FORGETS).some(({ begin }) => begin.at <= atMs)) return true
  const replicas = REPLICAS[run.topology]
  if (replicas === 0) return true
  return run.syncedReplicas >= replicas && atMs < grantedAtMs + CONFIRMED_LEASE * run.leaseMs
}

/**
 * Whether no write may be overwritten by a holder that did not see it, without a fence.
 *
 * No lock can stop a line that runs: a client that is stopped between its last look at its hold and its write may write
 * when the lock has another owner. That may be long after, so a fault at any time counts.
 */
export function areWritesPromised({ run, faults }: IndexedHistory): boolean {
  const mayForget = REPLICAS[run.topology] === 0 ? [] : FORGETS
  return faults.of([...STOPS_CLIENTS, ...mayForget]).length === 0
}

import type { CommandExecutor } from '../command/command-executor.js'
import { readerMarkers } from '../core/names.js'
import type { RenewalKind } from '../renewal/lease.js'
import { keepWaiting, renewRead } from './read-write-lock.scripts.js'

/** Renews the holds of readers, and what proves each of them. */
export function readRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'read-lock',
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { locksAndMarkers: leases.flatMap(({ name }) => [name, readerMarkers(name)]) },
        args: { leaseMs, owners: leases.map(({ owner }) => owner) },
      }
      const held = await executor.run(renewRead, call, { deadline })
      return held.map((answer) => answer === 1)
    },
  }
}

/** Has writers who wait count as living. */
export function waitingRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'waiting-writer',
    async renew(leases, patienceMs, deadline) {
      const call = {
        keys: { waiting: leases.map(({ name }) => name) },
        args: { patienceMs, owners: leases.map(({ owner }) => owner) },
      }
      const known = await executor.run(keepWaiting, call, { deadline })
      return known.map((answer) => answer === 1)
    },
  }
}

import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { readerMarker, readerMarkers } from '../../core/context/names.js'
import { isBetweenNodes } from '../../errors/transient.js'
import type { Lease, RenewalKind } from '../../renewal/lease.js'
import type { Deadline } from '../../util/time/deadline.js'
import { keepWaiting, renewMarker, renewRead, renewReader } from './read-write-lock.scripts.js'

/** Renews the holds of readers, and what proves each of them. */
export function readRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'read-lock',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { locksAndMarkers: leases.flatMap(({ name }) => [name, readerMarkers(name)]) },
        args: { leaseMs, owners: leases.map(({ owner }) => owner) },
      }
      try {
        const held = await executor.run(renewRead, call, { deadline, divisible: true })
        return held.map((answer) => answer === 1)
      } catch (error) {
        const [lease] = leases
        if (lease === undefined || leases.length > 1 || !isBetweenNodes(error)) throw error
        return [await renewByKey(executor, lease, { leaseMs, deadline })]
      }
    },
  }
}

/**
 * Renews one reader while its slot is moving: the hash and each marker by itself, wherever it is.
 *
 * A marker that has ended stays away: the reader may have been forgotten since the hash was asked. One that lasts says that it has not.
 */
async function renewByKey(
  executor: CommandExecutor,
  { name, owner }: Lease,
  { leaseMs, deadline }: { readonly leaseMs: number; readonly deadline: Deadline },
): Promise<boolean> {
  const call = { keys: { lock: name }, args: { leaseMs, owner } }
  const holds = await executor.run(renewReader, call, { deadline })
  const numbers = Array.from({ length: holds }, (_, index) => index + 1)
  const lasting = await Promise.all(
    numbers.map((number) => {
      const keys = { marker: readerMarker(name, owner, number) }
      return executor.run(renewMarker, { keys, args: { leaseMs } }, { deadline })
    }),
  )
  return lasting.includes(1)
}

/** Keeps waiting writers alive. */
export function waitingRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'waiting-writer',
    divisible: true,
    async renew(leases, patienceMs, deadline) {
      const call = {
        keys: { waiting: leases.map(({ name }) => name) },
        args: { patienceMs, owners: leases.map(({ owner }) => owner) },
      }
      const known = await executor.run(keepWaiting, call, { deadline, divisible: leases.length > 1 })
      return known.map((answer) => answer === 1)
    },
  }
}

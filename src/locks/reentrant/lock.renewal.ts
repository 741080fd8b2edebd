import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { renew } from './lock.scripts.js'

/** Renews locks that are a hash of owner to hold count. */
export function lockRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'lock',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { locks: leases.map(({ name }) => name) },
        args: { leaseMs, owners: leases.map(({ owner }) => owner) },
      }
      const held = await executor.run(renew, call, { deadline, divisible: leases.length > 1 })
      return held.map((answer) => answer === 1)
    },
  }
}

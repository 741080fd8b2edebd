import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { workLimiterKeys } from '../../core/context/names.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { renew } from './work-limiter.scripts.js'

/** Renews the places of functions. The owner of such a lease is the request that has taken them, with the number of the first and how many. */
export function workRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'work',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { places: leases.map(({ name }) => workLimiterKeys(name).places) },
        args: { leaseMs, owners: leases.map(({ owner }) => owner) },
      }
      const held = await executor.run(renew, call, { deadline, divisible: leases.length > 1 })
      return held.map((answer) => answer === 1)
    },
  }
}

import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { renew } from './reliable-topic.scripts.js'

/** Renews subscribers. The name of such a lease is the key that says until when they count as alive. */
export function subscriberRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'reliable topic subscriber',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { timeouts: leases.map(({ name }) => name) },
        args: { leaseMs, members: leases.map(({ owner }) => owner) },
      }
      const alive = await executor.run(renew, call, { deadline, divisible: leases.length > 1 })
      return alive.map((reply) => reply === 1)
    },
  }
}

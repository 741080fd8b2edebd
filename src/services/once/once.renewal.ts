import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { renew } from './once.scripts.js'

/** Renews marks. The owner of such a lease is the run, by its token. */
export function markRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'mark',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { marks: leases.map(({ name }) => name) },
        args: { leaseMs, tokens: leases.map(({ owner }) => owner) },
      }
      const own = await executor.run(renew, call, { deadline, divisible: leases.length > 1 })
      return own.map((answer) => answer === 1)
    },
  }
}

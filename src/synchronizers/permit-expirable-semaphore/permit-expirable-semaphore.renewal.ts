import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { permitTimeouts } from '../../core/context/names.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { renew } from './permit-expirable-semaphore.scripts.js'

/** Renews permits. The owner of such a lease is the permit itself, by its id. */
export function permitRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'permit',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const call = {
        keys: { timeouts: leases.map(({ name }) => permitTimeouts(name)) },
        args: { leaseMs, ids: leases.map(({ owner }) => Buffer.from(owner, 'hex')) },
      }
      const lent = await executor.run(renew, call, { deadline, divisible: leases.length > 1 })
      return lent.map((answer) => answer === 1)
    },
  }
}
